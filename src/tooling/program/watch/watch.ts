import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HarContent } from '#evidence/har/har-reading.ts';
import { joinRecordings } from '#evidence/har/merge-har.ts';
import { readHar } from '#evidence/har/read-har.ts';
import { toWatchHar } from '#evidence/har/to-watch-har.ts';
import { notStarted, runCommand, withNodeHook } from '../run-command.ts';

/** How often the file is written while the client runs, in milliseconds. */
const interval = 1000;

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
	const folder = mkdtempSync(join(tmpdir(), 'tollgate-watch-'));
	const variables = { TOLLGATE_WATCH_FOLDER: folder, TOLLGATE_WATCH_VERSION: version };
	const env = { ...process.env, ...withNodeHook(hook), ...variables };
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
	const exitCode = await runCommand(command, env, print);
	clearInterval(timer);
	write();
	rmSync(folder, { recursive: true, force: true });
	if (count > 0)
		print(
			`Wrote ${output} with ${count} ${count === 1 ? 'request' : 'requests'}, without secrets. Add it to the HAR file of the browser in the inspector, or run: npx tollgate explain browser.har ${output}`
		);
	else if (exitCode !== notStarted)
		print(
			'No token or resource request was recorded: the command started no Node client, or it sent none. Record a client in another language with a proxy, as "Add the back channel" in the documentation of traffic describes.'
		);
	return exitCode;
}

function read(file: string): HarContent[] {
	const reading = readHar(readFileSync(file, 'utf8'));
	return reading.kind === 'read' ? [reading] : [];
}
