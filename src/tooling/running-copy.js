// Plain JavaScript without packages, as start.js.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Copies the built server for this process, so that another build does not replace files of a server that runs. The copy is deleted
 * when the process ends, or at the next start if it was killed.
 * @param {string} root the project's folder, built
 * @returns {string} the folder with `build/` to run. A folder that cannot be written is not copied: nothing can build there either
 */
export function copyToRun(root) {
	const all = join(root, 'build/running');
	const own = join(all, String(process.pid));
	try {
		mkdirSync(all, { recursive: true });
		for (const name of readdirSync(all)) if (!isRunning(Number(name))) remove(join(all, name));
		remove(own);
		for (const part of ['build/host', 'build/kit'])
			cpSync(join(root, part), join(own, part), { recursive: true, filter: (path) => !path.endsWith('.map') });
	} catch {
		return root;
	}
	process.once('exit', () => remove(own));
	return own;
}

/** @param {string} folder */
function remove(folder) {
	rmSync(folder, { recursive: true, force: true });
}

/** @param {number} pid */
function isRunning(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		// It runs as another user.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
