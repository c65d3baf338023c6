import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalLocks, type Locks } from '../locks.ts';
import { Problem } from '../problems.ts';

/**
 * Locks that hold between processes: a file for each, with the number of the process that has it. One whose process is
 * gone counts for nothing, so that a companion that was killed bars nobody.
 */
export class FileLocks implements Locks {
	readonly #path: string;
	readonly #here = new LocalLocks();

	/** @param path that the names of the lock files begin with */
	constructor(path: string) {
		this.#path = path;
	}

	/** @throws {Problem} `shelf_unwritable` where no lock file can be made */
	request<T>(name: string, action: () => Promise<T>): Promise<T> {
		const path = `${this.#path}.${name.replace(/[^\w-]/g, '-')}.lock`;
		return this.#here.request(name, async () => {
			await take(path);
			try {
				return await action();
			} finally {
				await rm(path, { force: true });
			}
		});
	}
}

async function take(path: string): Promise<void> {
	// Linked into place with its number in it: nobody ever reads an empty one.
	const aside = `${path}.${randomBytes(6).toString('hex')}`;
	try {
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
		await writeFile(aside, String(process.pid), { flag: 'wx', mode: 0o600 });
	} catch (fault) {
		throw new Problem('shelf_unwritable', dirname(path), { cause: fault });
	}
	try {
		while (!(await linked(aside, path))) {
			if (await isHeld(path)) await sleep(20);
			else await rm(path, { force: true });
		}
	} finally {
		await rm(aside, { force: true });
	}
}

async function linked(aside: string, path: string): Promise<boolean> {
	try {
		await link(aside, path);
		return true;
	} catch (fault) {
		if (fault instanceof Error && 'code' in fault && fault.code === 'EEXIST') return false;
		throw fault;
	}
}

async function isHeld(path: string): Promise<boolean> {
	const text = await readFile(path, 'utf8').catch(() => undefined);
	if (text === undefined) return true; // just let go
	const holder = Number(text);
	if (!(holder > 0)) return false; // a power cut took what was in it
	try {
		process.kill(holder, 0);
		return true;
	} catch (fault) {
		return fault instanceof Error && 'code' in fault && fault.code === 'EPERM';
	}
}
