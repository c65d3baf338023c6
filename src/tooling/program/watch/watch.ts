import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HarContent } from '#evidence/har/har-reading.ts';
import { joinRecordings } from '#evidence/har/merge-har.ts';
import { readHar } from '#evidence/har/read-har.ts';
import { toWatchHar } from '#evidence/har/to-watch-har.ts';

/** How often the file is written while the client runs, in milliseconds. */
const interval = 1000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What `tollgate watch` needs. */
export type WatchOptions = {
	/** The HAR file that is written. */
	readonly output: string;
	/** URL of the built `watch-hook.js`. */
	readonly hook: string;
	readonly version: string;
};

/**
 * Starts a Node client, and records its token and resource requests in its process. No proxy and no certificate is set. All programs
 * that the command starts inherit it.
 * @param command the program and its arguments
 * @param print gets what a user needs to know
 * @returns the exit code of the command
 */
export async function watch(
	command: readonly string[],
	{ output, hook, version }: WatchOptions,
	print: (line: string) => void
): Promise<number> {
	const [program = '', ...args] = command;
	const folder = mkdtempSync(join(tmpdir(), 'tollgate-watch-'));
	const options = [process.env.NODE_OPTIONS, `--import=${hook}`].filter((text) => text).join(' ');
	const env = { ...process.env, NODE_OPTIONS: options, TOLLGATE_WATCH_FOLDER: folder, TOLLGATE_WATCH_VERSION: version };
	const isWindows = process.platform === 'win32';
	// A terminal sends its signals to all programs of the command. Without one, the command gets a group that signals are sent to.
	const isGroup = !isWindows && !process.stdin.isTTY;
	const child = spawn(program, args, { env, stdio: 'inherit', shell: isWindows, detached: isGroup });
	// The file is written after the client has ended.
	const forward = (signal: NodeJS.Signals) => {
		if (signal === 'SIGINT' && process.stdin.isTTY) return;
		if (child.pid === undefined) return;
		if (isWindows) spawn('taskkill', ['/pid', String(child.pid), '/t', '/f']);
		else process.kill(isGroup ? -child.pid : child.pid, signal);
	};
	for (const signal of signals) process.on(signal, forward);
	let written = '';
	let count = 0;
	const write = () => {
		const files = readdirSync(folder).filter((name) => name.endsWith('.har'));
		const state = files.map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`).join();
		if (files.length === 0 || state === written) return;
		written = state;
		const [first, ...others] = files.flatMap((name) => read(join(folder, name)));
		if (first === undefined) return;
		const content = joinRecordings(first, ...others);
		count = content.exchanges.length;
		writeFileSync(output, JSON.stringify(toWatchHar(content, version), undefined, '\t'), { mode: 0o600 });
	};
	const timer = setInterval(write, interval);
	const exitCode = await new Promise<number>((resolve) => {
		child.on('error', (error: NodeJS.ErrnoException) => {
			print(
				error.code === 'ENOENT' ? `There is no program ${program}.` : `Cannot start ${program} (${error.code ?? ''}).`
			);
			resolve(127);
		});
		child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
	});
	clearInterval(timer);
	for (const signal of signals) process.off(signal, forward);
	write();
	rmSync(folder, { recursive: true, force: true });
	if (count > 0)
		print(
			`Wrote ${output} with ${count} ${count === 1 ? 'request' : 'requests'}, without secrets. Add it to the HAR file of the browser in the inspector, or run: npx tollgate explain browser.har ${output}`
		);
	else if (exitCode !== 127)
		print(
			'No token or resource request was recorded: the command started no Node client, or it sent none. Record a client in another language with a proxy, as "Add the back channel" in the documentation of traffic describes.'
		);
	return exitCode;
}

function read(file: string): HarContent[] {
	const reading = readHar(readFileSync(file, 'utf8'));
	return reading.kind === 'read' ? [reading] : [];
}
