import type { CliEnvironment } from './environment.server.ts';
import { openBrowser } from './open-browser.server.ts';
import { runCli } from './run.server.ts';

/**
 * Runs Pocket Companion for one command line. `npm run companion` calls it after the build.
 * @param args command-line arguments, without `node` and the script
 * @param root the project's folder
 * @returns the exit code
 */
export function main(args: readonly string[], root: string): Promise<number> {
	const interrupt = new AbortController();
	// A second Ctrl-C ends the process at once.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
	// A reader such as `head` may close the pipe early.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
	const environment: CliEnvironment = {
		env: process.env,
		root,
		stdout: process.stdout,
		stderr: process.stderr,
		openBrowser: (url) => openBrowser(url, process.env),
		interrupted: interrupt.signal
	};
	return runCli(args, environment);
}
