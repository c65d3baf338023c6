import open from 'open';
import { runCli } from './run.server.ts';

/**
 * Runs Pocket Companion for one command line. `npm run companion` calls it after the build.
 * @param args command-line arguments, without `node` and the script
 * @param root the folder that `DATA_DIR` is relative to
 * @param programName how users start it. Default: `npm run companion --`
 * @returns the exit code
 */
export function main(args: readonly string[], root: string, programName?: string): Promise<number> {
	const interrupt = new AbortController();
	// A second Ctrl-C ends the process at once.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
	const { env, stdout, stderr } = process;
	// A reader such as `head` may close the pipe early.
	for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
	return runCli(args, {
		env,
		root,
		stdout,
		stderr,
		openBrowser,
		interrupted: interrupt.signal,
		programName
	});
}

/** `BROWSER=none` opens nothing, `BROWSER=PROGRAM` starts that program with the URL. */
async function openBrowser(url: string): Promise<boolean> {
	const { BROWSER: program } = process.env;
	if (program === 'none') return false;
	return open(url, program ? { app: { name: program } } : {}).then(
		() => true,
		() => false
	);
}
