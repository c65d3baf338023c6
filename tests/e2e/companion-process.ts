import { spawn, type ChildProcess } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test as base, type Server } from './fixtures.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** How a command ended. */
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** A command under way. */
export type Running = {
	readonly child: ChildProcess;
	/** Waits until standard error says something; returns what matched. */
	said(what: RegExp): Promise<string>;
	readonly ended: Promise<Ended>;
};

/** A home of its own for the command-line companion, which runs as `npm run companion` does. */
export class Home {
	readonly folder = mkdtempSync(join(tmpdir(), 'tollgate-companion-'));
	readonly origin: string;

	constructor({ origin, authority }: Server) {
		this.origin = origin;
		// Where a local Tollgate keeps its authority: found without --ca.
		mkdirSync(join(this.folder, 'data', 'tls'), { recursive: true });
		writeFileSync(join(this.folder, 'data', 'tls', 'ca.pem'), authority);
	}

	/** Starts a command against the server. */
	start(words: readonly string[], env: Record<string, string> = {}): Running {
		const child = spawn(process.execPath, [join(root, 'src/tooling/start.js'), 'companion', ...words], {
			env: {
				...{ PATH: process.env.PATH, HOME: this.folder, XDG_CONFIG_HOME: join(this.folder, 'config') },
				...{ DATA_DIR: join(this.folder, 'data'), TOLLGATE_URL: this.origin, BROWSER: 'none', ...env }
			},
			stdio: ['ignore', 'pipe', 'pipe']
		});
		let [out, err] = ['', ''];
		child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
		child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
		const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, out, err })));
		const said = async (what: RegExp) => {
			await expect.poll(() => err).toMatch(what);
			return what.exec(err)?.[0] ?? '';
		};
		return { child, said, ended };
	}

	/** Runs a command to its end. */
	run(words: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
		return this.start(words, env).ended;
	}

	/** The folder with the tokens. */
	get shelf(): string {
		return join(this.folder, 'config', 'tollgate', 'companion');
	}

	/** The files with the tokens. */
	files(): string[] {
		return existsSync(this.shelf) ? readdirSync(this.shelf).map((name) => join(this.shelf, name)) : [];
	}

	/** The text of the only such file. */
	kept(): string {
		const [file = '', ...more] = this.files();
		expect(more).toEqual([]);
		return readFileSync(file, 'utf8');
	}

	/** A program that notes the address it is called with, to stand for the system's browser. */
	fakeBrowser(): { readonly program: string; readonly address: () => string } {
		const program = join(this.folder, 'browser.sh');
		const note = join(this.folder, 'address');
		writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > '${note}'\n`);
		chmodSync(program, 0o700);
		return { program, address: () => (existsSync(note) ? readFileSync(note, 'utf8') : '') };
	}
}

export const test = base.extend<{ home: Home }>({
	home: async ({ server }, use) => {
		const home = new Home(server);
		await use(home);
		rmSync(home.folder, { recursive: true, force: true });
	}
});

export { expect };
