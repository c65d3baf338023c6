// Runs npm, with its output shown as it comes.
import { spawn } from 'node:child_process';

/** The exit code of a command that was ended because it took too long (as `timeout` has it). */
export const overtime = 124;

/**
 * Runs npm to its end, or ends it with everything that it started.
 * @param {string[]} words arguments
 * @param {number} minutes after which it is ended
 * @returns {Promise<number>} its exit code
 */
export function npm(words, minutes) {
	const windows = process.platform === 'win32';
	const child = spawn('npm', words, { stdio: ['ignore', 'inherit', 'inherit'], shell: windows, detached: !windows });
	const end = () => {
		// Its own process group, so that a server which a test left behind goes too.
		if (child.pid !== undefined && child.exitCode === null) process.kill(windows ? child.pid : -child.pid, 'SIGKILL');
	};
	const interrupt = () => {
		end();
		process.exit(130);
	};
	process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
	return new Promise((resolve) => {
		let late = false;
		const timer = setTimeout(() => {
			late = true;
			end();
		}, minutes * 60_000);
		/** @param {number} exitCode */
		const settle = (exitCode) => {
			clearTimeout(timer);
			process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
			resolve(late ? overtime : exitCode);
		};
		child.on('error', (fault) => {
			console.error(`npm does not start: ${fault.message}`);
			settle(127);
		});
		child.on('close', (exitCode) => settle(exitCode ?? 1));
	});
}
