import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unescapeHtml } from '#lib/html.ts';
import type { ClientActions, Open } from '#exam/web-driver.ts';
import { ClientProcess, splitCommand } from './client-process.ts';

/** How long a command may run, in milliseconds. */
const commandTime = 20_000;
const pollInterval = 50;
/** The programs that command line clients open a browser with. */
const openers = ['xdg-open', 'open', 'sensible-browser', 'www-browser', 'x-www-browser'];
/** Writes the URL that it gets to a file, in place of opening a browser. */
const openerCode = `#!/usr/bin/env node
require('node:fs').appendFileSync(process.env.TOLLGATE_EXAM_URLS, process.argv.at(-1) + '\\n');
`;

/** The commands of a client. `{name}` in `use` is the name of a character. */
export type Commands = {
	readonly signIn: string;
	readonly use?: string | undefined;
	readonly signOut?: string | undefined;
};

/**
 * Operates a command line client. It gets its browser by `BROWSER` and `PATH`, and a code that a page shows by its standard input.
 * @param env the variables of the client
 * @param mark unique for this exam
 */
export function commandActions(commands: Commands, env: NodeJS.ProcessEnv, mark: string): ClientActions {
	const { folder, urls, variables } = createOpener(env);
	let waiting: ClientProcess | undefined;
	const running = new Set<ClientProcess>();
	const run = (command: string, name = '') => {
		const started = new ClientProcess(
			splitCommand(command).map((word) => word.replaceAll('{name}', name)),
			variables,
			// Commands run at the same time: the end of one must not end the others.
			`${mark}-${randomUUID()}`
		);
		running.add(started);
		return started;
	};
	const toEnd = async (command: string, name?: string) => {
		const started = run(command, name);
		await finished(started);
		running.delete(started);
	};
	const { signIn, use, signOut } = commands;
	return {
		async signIn(open) {
			waiting?.kill();
			writeFileSync(urls, '');
			const started = run(signIn);
			waiting = started;
			const url = await firstUrl(urls, started);
			if (url === undefined) return;
			const page = await open(url);
			// The sign-in was only begun. The client waits for the rest.
			if (page.status === 0) return;
			const code = /<title>[^<]*\bcode=([^<\s]+)/i.exec(page.text)?.[1];
			if (code !== undefined) started.write(`${unescapeHtml(code)}\n`);
			await finished(started);
			running.delete(started);
		},
		...(use === undefined ? {} : { use: (_open: Open, name: string) => toEnd(use, name) }),
		...(signOut === undefined ? {} : { signOut: () => toEnd(signOut) }),
		stop: async () => {
			for (const started of running) started.kill();
			rmSync(folder, { recursive: true, force: true });
		}
	};
}

/**
 * Creates programs that take the place of a browser: they write the URLs that they get to a file.
 * @param env the variables of the client
 */
export function createOpener(env: NodeJS.ProcessEnv): {
	readonly folder: string;
	/** The file with the URLs, one a line. */
	readonly urls: string;
	readonly variables: NodeJS.ProcessEnv;
} {
	const folder = mkdtempSync(join(tmpdir(), 'tollgate-browser-'));
	for (const name of openers) {
		writeFileSync(join(folder, name), openerCode);
		chmodSync(join(folder, name), 0o755);
	}
	// A package.json in a folder above may say that files are modules.
	writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
	const urls = join(folder, 'urls');
	writeFileSync(urls, '');
	const variables = {
		...env,
		BROWSER: join(folder, 'xdg-open'),
		PATH: [folder, env.PATH ?? ''].join(delimiter),
		TOLLGATE_EXAM_URLS: urls
	};
	return { folder, urls, variables };
}

/** Waits until a command has ended, or ends it. */
async function finished(started: ClientProcess): Promise<void> {
	await Promise.race([started.closed, sleep(commandTime, undefined, { ref: false })]);
	started.kill();
}

/** The URL that a client opens; undefined if it ends without one. */
async function firstUrl(file: string, started: ClientProcess): Promise<string | undefined> {
	const ended = started.ended.then(() => true);
	for (let waited = 0; waited < commandTime; waited += pollInterval) {
		const hasEnded = await Promise.race([ended, sleep(pollInterval, false)]);
		const url = readFileSync(file, 'utf8').split('\n', 1)[0];
		if (url !== undefined && URL.canParse(url)) return url;
		if (hasEnded) return undefined;
	}
	return undefined;
}
