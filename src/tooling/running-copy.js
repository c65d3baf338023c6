// Plain JavaScript without packages, as start.js.
import { copyFileSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
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
		for (const part of ['build/host', 'build/kit']) copyFolder(join(root, part), join(own, part));
	} catch {
		return root;
	}
	process.once('exit', () => remove(own));
	return own;
}

/**
 * Copies the files of a folder as hard links, which takes a tenth of the time: a build deletes files and writes new ones, so it does
 * not change these.
 * @param {string} from
 * @param {string} to does not exist
 */
function copyFolder(from, to) {
	mkdirSync(to, { recursive: true });
	for (const entry of readdirSync(from, { withFileTypes: true })) {
		const [source, target] = [join(from, entry.name), join(to, entry.name)];
		if (entry.isDirectory()) copyFolder(source, target);
		else if (!entry.name.endsWith('.map')) copyFile(source, target);
	}
}

/** @param {string} from @param {string} to */
function copyFile(from, to) {
	try {
		linkSync(from, to);
	} catch {
		// Some file systems have no links.
		copyFileSync(from, to);
	}
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
