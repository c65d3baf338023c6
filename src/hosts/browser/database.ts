import { promisifyRequest } from 'idb-keyval';

/** A value of schema `S` (kind name to value type) with its sandbox, kind and id. */
export type Entry<S> = {
	[K in keyof S & string]: { readonly sandbox: string; readonly kind: K; readonly id: string; readonly value: S[K] };
}[keyof S & string];

/** Called at most once, when the database can no longer be used. */
export type DatabaseEvents = {
	/** The database was deleted, or a newer version of the app is about to upgrade it. It is closed. */
	readonly onClosed: () => void;
	/** A write failed, usually because the disk is full. All entries were deleted if possible. Nothing more is written. */
	readonly onFailed: (reason: unknown) => void;
};

type Batch = Map<number, { sandbox: string; kind: string; id: string; value: unknown } | undefined>;

/** A database with a higher version is not opened, and stays as it is. */
const version = 3;
const storeName = 'entries';

/**
 * Entries in IndexedDB, for a program that has them all in memory. `set` adds to a batch, and `flush` writes the batch in one
 * transaction. So the database always has a state that the memory had.
 */
export class EntryDatabase<S> {
	readonly #database: IDBDatabase;
	readonly #events: DatabaseEvents;
	/** The keys count up, so that entries are read in the order in which they were first written. */
	readonly #keys = new Map<string, number>();
	#lastKey = 0;
	#batch: Batch = new Map();
	#isDurable = false;
	#isUsable = true;
	#write: Promise<void> = Promise.resolve();
	#nextWrite: Promise<void> | undefined;

	private constructor(database: IDBDatabase, events: DatabaseEvents) {
		this.#database = database;
		this.#events = events;
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
		const database = new EntryDatabase<S>(opened, events);
		opened.onclose = opened.onversionchange = () => database.#close();
		return { database, entries: await database.#read() };
	}

	/**
	 * Adds a change to the next batch.
	 * @param value undefined deletes the entry
	 * @param durable true if the batch must be on the disk before `flush` resolves
	 */
	set(sandbox: string, kind: keyof S & string, id: string, value: unknown, durable = false): void {
		if (!this.#isUsable) return;
		const name = nameOf(sandbox, kind, id);
		const known = this.#keys.get(name);
		const key = known ?? ++this.#lastKey;
		if (value === undefined) this.#keys.delete(name);
		else if (known === undefined) this.#keys.set(name, key);
		this.#batch.set(key, value === undefined ? undefined : { sandbox, kind, id, value });
		this.#isDurable ||= durable;
	}

	/** Adds the deletion of all entries of a sandbox to the next batch. */
	deleteSandbox(sandbox: string): void {
		for (const [name, key] of this.#keys) {
			if (!name.startsWith(`${sandbox} `)) continue;
			this.#keys.delete(name);
			this.#batch.set(key, undefined);
		}
	}

	/** Resolves when all changes so far are written. Never rejects. */
	flush(): Promise<void> {
		if (this.#batch.size === 0) return this.#write;
		return (this.#nextWrite ??= this.#write.then(() => {
			this.#nextWrite = undefined;
			this.#write = this.#writeBatch();
			return this.#write;
		}));
	}

	/** Deletes all entries and closes the database. Never rejects: a database that cannot be used is empty or will be deleted. */
	async erase(): Promise<void> {
		if (!this.#isUsable) return;
		this.#isUsable = false;
		await this.#write;
		await this.#clear().catch(() => undefined);
		this.#database.close();
	}

	async #read(): Promise<Entry<S>[]> {
		const store = this.#database.transaction(storeName).objectStore(storeName);
		const [keys, entries] = await Promise.all([
			promisifyRequest(store.getAllKeys()),
			promisifyRequest<Entry<S>[]>(store.getAll())
		]);
		for (const [at, { sandbox, kind, id }] of entries.entries()) {
			this.#lastKey = Number(keys[at]);
			this.#keys.set(nameOf(sandbox, kind, id), this.#lastKey);
		}
		return entries;
	}

	async #writeBatch(): Promise<void> {
		if (!this.#isUsable) return;
		const batch = this.#batch;
		const durability = this.#isDurable ? 'strict' : 'relaxed';
		this.#batch = new Map();
		this.#isDurable = false;
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

function nameOf(sandbox: string, kind: string, id: string): string {
	return `${sandbox} ${kind} ${id}`;
}
