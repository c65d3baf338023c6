import { openSystemBrowser } from './system-browser.server.ts';
import { runCli } from './run.server.ts';
import { trustingFetch } from './trusting-fetch.server.ts';
import type { Output } from './environment.server.ts';

/**
 * Runs Pocket Companion for one command line. What `npm run companion` calls once it is built.
 * @param words arguments, without Node's own
 * @param root the project's folder
 * @returns the exit code
 */
export async function main(words: readonly string[], root: string): Promise<number> {
	const interrupt = new AbortController();
	// The second one ends the process at once, as it would without us.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
	const { env } = process;
	return runCli(words, {
		env,
		root,
		out: outputOf(process.stdout),
		err: outputOf(process.stderr),
		fetch: trustingFetch,
		openBrowser: (address) => openSystemBrowser(address, env, process.platform),
		interrupted: interrupt.signal,
		timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
		now: () => Date.now()
	});
}

function outputOf(stream: NodeJS.WriteStream): Output {
	stream.on('error', () => undefined); // whoever read it has gone: `| head`
	return { write: (text) => void stream.write(text), isTerminal: stream.isTTY };
}
