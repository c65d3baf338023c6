import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createTrustingFetch } from '#client/cli/ca-certificates.server.ts';
import type { CliEnvironment } from '#client/cli/terminal.server.ts';
import { runCli } from '#client/cli/run.server.ts';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startNode } from '../../conformance/hosts/node.ts';
import { Sandbox } from '../../conformance/sandbox.ts';
import type { Transport } from '../../conformance/transport.ts';
import { testCertificate } from '../../hosts/certificate.ts';
import { signInAtService } from '../sign-in-at-service.js';

/** How a command ended. */
export type Result = { readonly code: number; readonly out: string; readonly err: string };

/** Runs the command-line client in this process, with its own home folder, against one service. */
export class TestCli {
	readonly home = mkdtempSync(join(tmpdir(), 'tollgate-cli-'));
	readonly credentialsFolder = join(this.home, 'tollgate', 'companion');
	/** How often the browser was opened. */
	opened = 0;
	readonly #env: Readonly<Record<string, string>>;
	readonly #ca: string | undefined;

	/** @param ca PEM text of the CA, stored where a local Tollgate stores it */
	constructor(base_url: string, ca?: string) {
		this.#ca = ca;
		mkdirSync(join(this.home, '.tollgate', 'tls'), { recursive: true });
		if (ca !== undefined) writeFileSync(this.caFile, ca);
		this.#env = { XDG_CONFIG_HOME: this.home, TOLLGATE_URL: base_url };
	}

	get caFile(): string {
		return join(this.home, '.tollgate', 'tls', 'ca.pem');
	}

	async run(args: readonly string[], changes: Partial<CliEnvironment> = {}): Promise<Result> {
		const [stdout, stderr] = [new TextStream(), new TextStream()];
		const code = await runCli(args, {
			env: this.#env,
			root: this.home,
			stdout,
			stderr,
			openBrowser: (url) => this.browser(url),
			interrupted: new AbortController().signal,
			...changes
		});
		return { code, out: stdout.text, err: stderr.text };
	}

	/** Runs a command with `--json` and parses its output, which must be one line. */
	async json(args: readonly string[], changes: Partial<CliEnvironment> = {}): Promise<{ code: number; data: unknown }> {
		const { code, out } = await this.run([...args, '--json'], changes);
		const [line = '', ...others] = out.split('\n');
		if (others.join('') !== '') throw new Error(`more than one line: ${out}`);
		const data: unknown = JSON.parse(line);
		return { code, data };
	}

	/** Signs in as a user and returns to the client, as a browser does. */
	async browser(url: string, decision: 'approve' | 'deny' = 'approve'): Promise<boolean> {
		this.opened += 1;
		const { callback } = await signInAtService(
			createTrustingFetch(this.#ca === undefined ? undefined : [this.#ca]),
			new URL(url),
			{
				decision
			}
		);
		if (callback !== undefined) await fetch(callback);
		return true;
	}

	/** Paths of the credentials files. */
	files(): readonly string[] {
		if (!existsSync(this.credentialsFolder)) return [];
		return readdirSync(this.credentialsFolder).map((name) => join(this.credentialsFolder, name));
	}

	/** Text of the only credentials file. */
	credentials(): string {
		const [file = '', ...others] = this.files();
		if (others.length > 0) throw new Error('more than one credentials file');
		return readFileSync(file, 'utf8');
	}

	remove(): void {
		rmSync(this.home, { recursive: true, force: true });
	}
}

/** Collects what is written to it. */
export class TextStream extends Writable {
	text = '';

	override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
		this.text += chunk.toString();
		done();
	}
}

/** Looks like a terminal with colors. */
export class TerminalStream extends TextStream {
	readonly isTTY = true;
	readonly columns = 80;

	getColorDepth(): number {
		return 8;
	}

	cursorTo(column: number): void {
		this.write(`\u001b[${String(column + 1)}G`);
	}

	clearLine(): void {
		this.write('\u001b[2K');
	}

	moveCursor(): void {
		this.write('\u001b[1A');
	}
}

/** What a test uses. */
export type Setup = { readonly transport: Transport; readonly sandbox: Sandbox; readonly cli: TestCli };

/** Starts the node host for a test file. Each test gets its own sandbox and home folder. */
export function setUp(): Setup {
	let transport: Transport;
	let ca: string;
	let sandbox: Sandbox;
	let cli: TestCli;
	beforeAll(async () => {
		ca = (await testCertificate()).authority.cert;
		transport = await startNode();
	});
	afterAll(() => transport.close());
	beforeEach(async () => {
		sandbox = await Sandbox.create(transport);
		cli = new TestCli(sandbox.base_url, ca);
	});
	afterEach(async () => {
		cli.remove();
		await sandbox.remove();
	});
	return {
		get transport() {
			return transport;
		},
		get sandbox() {
			return sandbox;
		},
		get cli() {
			return cli;
		}
	};
}
