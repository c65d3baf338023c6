import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalLocks, type Locks } from '../locks.ts';
import { Problem } from '../problems.ts';

/**
 * Locks that hold between processes: a folder for each, and in it a file named after the process that has it. One whose
 * process is gone counts for nothing, so that a companion that was killed bars nobody.
 *
 * A folder is put in place under another name only where there is none, or an empty one; so a lock is taken in one step,
 * the holder's name in it, on any file system. Each turn has a name of its own: whoever clears away a dead one's can
 * never hit that of the next.
 */
export class FileLocks implements Locks {
	readonly #path: string;
	readonly #here = new LocalLocks();

	/** @param path that the names of the locks begin with */
	constructor(path: string) {
		this.#path = path;
	}

	/** @throws {Problem} `shelf_unwritable` where no lock can be made */
	request<T>(name: string, action: () => Promise<T>): Promise<T> {
		const path = `${this.#path}.${name.replace(/[^\w-]/g, '-')}.lock`;
		return this.#here.request(name, async () => {
			const turn = `${String(process.pid)}.${randomBytes(6).toString('hex')}`;
			await take(path, turn);
			try {
				return await action();
			} finally {
				await rm(join(path, turn), { force: true });
				await rmdir(path).catch(() => undefined); // the next one may be in already
			}
		});
	}
}

async function take(path: string, turn: string): Promise<void> {
	const aside = `${path}.${turn}`;
	try {
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
		await mkdir(aside, { mode: 0o700 });
		await writeFile(join(aside, turn), '', { mode: 0o600 });
		while (!(await moved(aside, path))) {
			const turns = await readdir(path).catch(() => undefined);
			if (turns?.some(isAlive)) await sleep(20);
			else await clear(path, turns ?? []);
		}
	} catch (fault) {
		await rm(aside, { recursive: true, force: true }).catch(() => undefined); // the first fault is the one to tell
		throw new Problem('shelf_unwritable', dirname(path), { cause: fault });
	}
}

/** What a move says of a place that is taken: by a folder with something in it (on Windows by any), or by a file. */
const taken = ['ENOTEMPTY', 'EEXIST', ...(process.platform === 'win32' ? ['EPERM'] : []), 'ENOTDIR'];

async function moved(aside: string, path: string): Promise<boolean> {
	try {
		await rename(aside, path);
		return true;
	} catch (fault) {
		if (taken.some((code) => isCode(fault, code))) return false;
		throw fault;
	}
}

/** Clears a lock away that nobody holds; one that somebody has taken meanwhile stays, for it is not empty. */
async function clear(path: string, turns: readonly string[]): Promise<void> {
	for (const turn of turns) await rm(join(path, turn), { recursive: true, force: true });
	await rmdir(path)
		.catch((fault: unknown) => (isCode(fault, 'ENOTDIR') ? unlink(path) : undefined))
		.catch(() => undefined);
}

function isAlive(turn: string): boolean {
	const holder = Number.parseInt(turn);
	if (!(holder > 0)) return false; // no process's name
	try {
		process.kill(holder, 0);
		return true;
	} catch (fault) {
		return isCode(fault, 'EPERM');
	}
}

function isCode(fault: unknown, code: string): boolean {
	return fault instanceof Error && 'code' in fault && fault.code === code;
}
