// Runs a program to its end, and collects its output.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** The exit code of a program that was stopped because it took too long. */
export const timedOut = 124;

/**
 * @param {string} program
 * @param {string[]} args
 * @param {number} minutes until it is stopped, with all processes that it started
 * @param {{ isPatient?: boolean, env?: Record<string, string> }} [options] isPatient: it runs while a processor has nothing
 *   else to do. env: environment variables, in addition to this process's
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(program, args, minutes, { isPatient = false, env = {} } = {}) {
	const isWindows = process.platform === 'win32';
	// In its own process group, so that servers that a test did not stop are stopped too.
	const child = spawn(program, args, {
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: isWindows,
		detached: !isWindows
	});
	if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
	}
	const stop = () => {
		if (child.pid !== undefined && child.exitCode === null) process.kill(isWindows ? child.pid : -child.pid, 'SIGKILL');
	};
	/** Ends what it left running, which would hold its output open. */
	const endGroup = () => {
		try {
			if (child.pid !== undefined && !isWindows) process.kill(-child.pid, 'SIGKILL');
		} catch {
			// Nothing is left.
		}
	};
	process.once('exit', stop);
	return new Promise((resolve) => {
		let isLate = false;
		const timer = setTimeout(() => {
			isLate = true;
			stop();
		}, minutes * 60_000);
		/** @param {number} code */
		const settle = (code) => {
			clearTimeout(timer);
			process.off('exit', stop);
			resolve({ code: isLate ? timedOut : code, output });
		};
		child.on('error', (error) => {
			output += `${program} did not start: ${error.message}\n`;
			settle(127);
		});
		child.on('exit', endGroup);
		child.on('close', (code) => settle(code ?? 1));
	});
}
