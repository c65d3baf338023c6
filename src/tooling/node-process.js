// Plain JavaScript without packages: start.js runs it before anything is installed, and in versions of Node that are too old.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Blocks of memory from this size on, in bytes, go back to the system when they are freed. Unless this is set, glibc raises the
 * size to 16 MB with the first password check, and then keeps freed request bodies and the blocks of each thread.
 */
export const memorySettings = { MALLOC_MMAP_THRESHOLD_: '1048576' };

/**
 * Settings of V8. A larger young generation is collected less often. One thread helps it to collect, not four: on a machine with one
 * or two cores, four take most of the time, and requests waited 70 milliseconds for them.
 */
export const memoryFlags = ['--max-semi-space-size=32', '--v8-pool-size=1'];

/**
 * Runs the program of this process again in a child process with settings for memory, which V8 and the C library read only at the
 * start of a process. On Linux only, and not where they are set already, as in the container image.
 * @param {boolean} isOfNpm whether npm or npx started this process
 * @returns {Promise<number | undefined>} the exit code of the child; undefined if this process is to run the server
 */
export async function runWithMemorySettings(isOfNpm) {
	if (isOfNpm) endWithParent();
	if (process.platform !== 'linux' || process.env.MALLOC_MMAP_THRESHOLD_) {
		// Ends with its parent, also if that was killed.
		process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
		process.channel?.unref();
		return undefined;
	}
	const child = spawn(process.execPath, [...memoryFlags, ...process.execArgv, ...process.argv.slice(1)], {
		env: { ...process.env, ...memorySettings },
		stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
		// A terminal sends Ctrl+C to all processes of its group. A second signal would end the server at once.
		detached: true
	});
	/** @type {NodeJS.Signals[]} */
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	for (const signal of signals) process.on(signal, () => child.kill(signal));
	return new Promise((resolve, reject) => {
		child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
	});
}

/**
 * Sends this process SIGTERM when its parent has ended. For processes that npm started: npm ends at a signal and does not pass
 * it on, which would leave the server running.
 */
function endWithParent() {
	const { ppid } = process;
	const timer = setInterval(() => {
		if (process.ppid === ppid) return;
		clearInterval(timer);
		process.kill(process.pid, 'SIGTERM');
	}, 500);
	timer.unref();
}

/**
 * Compares the version of Node with `engines` in package.json.
 * @param {string} root the folder of package.json
 * @returns {string | undefined} why this version cannot run Tollgate
 */
export function unsupportedNode(root) {
	/** @type {{ engines: { node: string } }} */
	const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const required = engines.node.replace('>=', '');
	const [major = 0, minor = 0] = required.split('.').map(Number);
	const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
	if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return undefined;
	return `Tollgate needs Node.js ${required} or newer. This is ${process.versions.node}. Get a newer one at https://nodejs.org.`;
}
