import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { keptInFile } from '../kept.ts';
import { Problem } from '../problems.ts';
import { MemoryShelf, type Kept, type Shelf } from '../shelf.ts';
import type { FileLocks } from './file-locks.server.ts';

/**
 * A shelf in a file that only its owner can read. Tokens outlive the process; a sign-in under way (its state, its PKCE
 * verifier) does not, and is never written. A file that would hold no session is removed.
 */
export class CredentialsFile implements Shelf {
	readonly #path: string;
	readonly #locks: FileLocks;
	readonly #memory = new MemoryShelf();

	/**
	 * @param path of the file; its folder is made where missing
	 * @param locks for reading and writing in one step, also between processes
	 */
	constructor(path: string, locks: FileLocks) {
		this.#path = path;
		this.#locks = locks;
	}

	/** @throws {Problem} `shelf_unreadable` where the file is there and cannot be read */
	async read<K extends keyof Kept>(key: K): Promise<Kept[K] | undefined> {
		await this.#load();
		return this.#memory.read(key);
	}

	/** @throws {Problem} `shelf_unreadable`, `shelf_unwritable` */
	update<K extends keyof Kept>(key: K, change: (now: Kept[K] | undefined) => Kept[K]): Promise<Kept[K]> {
		if (key !== 'sessions' && key !== 'offsets') return this.#memory.update(key, change);
		return this.#locks.request('shelf', async () => {
			await this.#load();
			const next = await this.#memory.update(key, change);
			await this.#save();
			return next;
		});
	}

	/**
	 * Makes sure that what is to be kept can be written, before anybody goes to the trouble of getting it.
	 * @throws {Problem} `shelf_unreadable`, `shelf_unwritable`
	 */
	async check(): Promise<void> {
		await this.update('offsets', (offsets = {}) => offsets);
	}

	async #load(): Promise<void> {
		const text = await readFile(this.#path, 'utf8').catch((fault: unknown) => {
			if (isMissing(fault)) return undefined;
			throw new Problem('shelf_unreadable', this.#path, { cause: fault });
		});
		const kept = text === undefined ? { sessions: [], offsets: {} } : this.#parse(text);
		await this.#memory.update('sessions', () => kept.sessions);
		await this.#memory.update('offsets', () => kept.offsets);
	}

	#parse(text: string): v.InferOutput<typeof keptInFile> {
		try {
			return v.parse(keptInFile, JSON.parse(text));
		} catch (fault) {
			throw new Problem('shelf_unreadable', this.#path, { cause: fault });
		}
	}

	/** Written aside and put in place in one step, so that no reader and no power cut finds half of it. */
	async #save(): Promise<void> {
		const sessions = (await this.#memory.read('sessions')) ?? [];
		const offsets = (await this.#memory.read('offsets')) ?? {};
		const aside = `${this.#path}.${randomBytes(6).toString('hex')}`;
		try {
			if (sessions.length === 0) {
				await rm(this.#path, { force: true });
				return;
			}
			await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
			const handle = await open(aside, 'wx', 0o600);
			try {
				await handle.writeFile(`${JSON.stringify({ sessions, offsets }, null, '\t')}\n`);
				await handle.sync();
			} finally {
				await handle.close();
			}
			await rename(aside, this.#path);
		} catch (fault) {
			// What could not be written may not be removable either; the first fault is the one to tell.
			await rm(aside, { force: true }).catch(() => undefined);
			throw new Problem('shelf_unwritable', dirname(this.#path), { cause: fault });
		}
	}
}

/** Whether a fault of the file system says that there is no such file; it says so twice where its folder is none. */
function isMissing(fault: unknown): boolean {
	return fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'ENOTDIR');
}
