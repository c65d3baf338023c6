import { promisifyRequest } from 'idb-keyval';
import { ChangeLog, type Batch, type Entry } from '#store/change-log.ts';

/** Called at most once, when the database can no longer be used. */
export type DatabaseEvents = {
	/** The database was deleted, or a newer version of the app is about to upgrade it. It is closed. */
	readonly onClosed: () => void;
	/** A write failed, usually because the disk is full. All entries were deleted if possible. Nothing more is written. */
	readonly onFailed: (reason: unknown) => void;
};

/** A database with a higher version is neither opened nor changed. */
const version = 3;
const storeName = 'entries';

/** Entries in IndexedDB, for a program that has them all in memory: a change log whose batches are transactions. */
export class EntryDatabase<S> {
	readonly #database: IDBDatabase;
	readonly #events: DatabaseEvents;
	readonly #changes: ChangeLog<S>;
	#isUsable = true;

	private constructor(
		database: IDBDatabase,
		events: DatabaseEvents,
		stored: readonly (readonly [key: number, entry: Entry<S>])[]
	) {
		this.#database = database;
		this.#events = events;
		this.#changes = new ChangeLog((batch, durable) => this.#writeBatch(batch, durable), stored);
		database.onclose = database.onversionchange = () => this.#close();
	}

	/**
	 * Opens a database and reads its entries, oldest first.
	 * @param name of the database
	 * @throws DOMException `VersionError` for a database with a higher version, others where the browser offers no storage
	 */
	static async open<S>(
		name: string,
		events: DatabaseEvents
	): Promise<{ database: EntryDatabase<S>; entries: Entry<S>[] }> {
		const request = indexedDB.open(name, version);
		request.onupgradeneeded = () => {
			for (const old of request.result.objectStoreNames) request.result.deleteObjectStore(old);
			request.result.createObjectStore(storeName);
		};
		const opened = await promisifyRequest(request);
		const stored = await read<S>(opened);
		return { database: new EntryDatabase<S>(opened, events, stored), entries: stored.map(([, entry]) => entry) };
	}

	/**
	 * Adds a change to the next batch.
	 * @param value undefined deletes the entry
	 * @param durable true if the batch must be on the disk before `flush` resolves
	 */
	set(sandbox: string, kind: keyof S & string, id: string, value: unknown, durable = false): void {
		if (this.#isUsable) this.#changes.set(sandbox, kind, id, value, durable);
	}

	/** Adds the deletion of all entries of a sandbox to the next batch. */
	deleteSandbox(sandbox: string): void {
		this.#changes.deleteSandbox(sandbox);
	}

	/** Resolves when all changes so far are written. Never rejects. */
	flush(): Promise<void> {
		return this.#changes.flush();
	}

	/** Deletes all entries and closes the database. Never rejects: a database that cannot be used is empty or will be deleted. */
	async erase(): Promise<void> {
		if (!this.#isUsable) return;
		this.#isUsable = false;
		await this.#changes.flush();
		await this.#clear().catch(() => undefined);
		this.#database.close();
	}

	async #writeBatch(batch: Batch, durable: boolean): Promise<void> {
		if (!this.#isUsable) return;
		const durability = durable ? 'strict' : 'relaxed';
		try {
			const transaction = this.#database.transaction(storeName, 'readwrite', { durability });
			const store = transaction.objectStore(storeName);
			for (const [key, entry] of batch) {
				if (entry === undefined) store.delete(key);
				else store.put(entry, key);
			}
			transaction.commit(); // saves waiting for the result of each request
			await promisifyRequest(transaction);
		} catch (reason) {
			await this.#fail(reason);
		}
	}

	/** What is on the disk would let used codes and revoked tokens work again after a restart, so it is deleted. */
	async #fail(reason: unknown): Promise<void> {
		if (!this.#isUsable) return;
		this.#isUsable = false;
		await this.#clear().catch(() => undefined);
		this.#database.close();
		this.#events.onFailed(reason);
	}

	async #clear(): Promise<void> {
		const transaction = this.#database.transaction(storeName, 'readwrite');
		transaction.objectStore(storeName).clear();
		await promisifyRequest(transaction);
	}

	#close(): void {
		if (!this.#isUsable) return;
		this.#isUsable = false;
		this.#database.close();
		this.#events.onClosed();
	}
}

async function read<S>(database: IDBDatabase): Promise<[key: number, entry: Entry<S>][]> {
	const store = database.transaction(storeName).objectStore(storeName);
	const [keys, entries] = await Promise.all([
		promisifyRequest(store.getAllKeys()),
		promisifyRequest<Entry<S>[]>(store.getAll())
	]);
	return entries.map((entry, at) => [Number(keys[at]), entry]);
}
