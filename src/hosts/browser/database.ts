import { promisifyRequest, type UseStore } from 'idb-keyval';
import { createRecordStore } from '#store/indexed-form.ts';
import type { Transact } from '#store/indexed-db.ts';
import { StoreFull } from '#store/store.ts';

/** The rooms of the database: the service's records, the browser's cookies, the exchanges that were seen. */
const rooms = ['records', 'cookies', 'traffic'] as const;
type Room = (typeof rooms)[number];

/** The form of what is kept. A database of a newer form refuses to open: nothing of it is touched. */
const version = 1;

/** This browser's database of one deployment of the application. */
export class Database {
	readonly #name: string;
	#open: Promise<IDBDatabase> | undefined;
	#reading: IDBTransaction | undefined;
	#onOutdated: () => void = () => {};

	/** @param name one for each path that the application stands at: two deployments on one origin share nothing */
	constructor(name: string) {
		this.#name = name;
	}

	/** Calls `listener` when a newer version of the application wants to change the form of the database: this one has let go of it. */
	onOutdated(listener: () => void): void {
		this.#onOutdated = listener;
	}

	/**
	 * Opens the database now, where it would otherwise be opened when first used.
	 * @throws DOMException `SecurityError`, `VersionError` (a newer form), `UnknownError`, … where it can't be had
	 */
	async ready(): Promise<void> {
		await this.#opened();
	}

	/** A room, for the functions of idb-keyval. */
	room(room: Room): UseStore {
		return async (mode, work) => work((await this.#opened()).transaction(room, mode).objectStore(room));
	}

	/** One transaction over the records. A full disk is a full store. */
	readonly transact: Transact = (mode, durable, work) =>
		mode === 'readwrite' ? this.#write(durable, work) : this.#read(work);

	async #write<T>(durable: boolean, work: (objects: IDBObjectStore) => Promise<T>): Promise<T> {
		const database = await this.#opened();
		this.#reading = undefined; // it would keep this one waiting, as long as it is read on
		const transaction = database.transaction('records', 'readwrite', { durability: durable ? 'strict' : 'relaxed' });
		const complete = promisifyRequest(transaction);
		try {
			const [result] = await Promise.all([work(transaction.objectStore('records')), complete]);
			return result;
		} catch (fault) {
			abandon(transaction);
			await complete.catch(() => undefined);
			throw isFullDisk(fault) ? new StoreFull('This browser has no more room for the service.') : fault;
		}
	}

	/** What is read right after something else was read is read in the same transaction: opening one costs most of it. */
	async #read<T>(work: (objects: IDBObjectStore) => Promise<T>): Promise<T> {
		const database = await this.#opened();
		if (this.#reading !== undefined) {
			try {
				return await work(this.#reading.objectStore('records'));
			} catch (fault) {
				if (!isOver(fault)) throw fault;
			}
		}
		this.#reading = database.transaction('records', 'readonly');
		return work(this.#reading.objectStore('records'));
	}

	/** Empties all rooms, in one transaction. */
	async erase(): Promise<void> {
		const transaction = (await this.#opened()).transaction(rooms, 'readwrite');
		for (const room of rooms) transaction.objectStore(room).clear();
		await promisifyRequest(transaction);
	}

	#opened(): Promise<IDBDatabase> {
		return (this.#open ??= this.#opening());
	}

	async #opening(): Promise<IDBDatabase> {
		try {
			const request = indexedDB.open(this.#name, version);
			request.onupgradeneeded = () => {
				createRecordStore(request.result, 'records');
				request.result.createObjectStore('cookies');
				request.result.createObjectStore('traffic');
			};
			const database = await promisifyRequest(request);
			// The browser closes it when its owner deletes it: the next use makes it anew.
			database.onclose = () => (this.#open = undefined);
			database.onversionchange = () => {
				database.close();
				this.#open = undefined;
				this.#onOutdated();
			};
			return database;
		} catch (fault) {
			this.#open = undefined;
			throw fault;
		}
	}
}

/**
 * Empties other databases of this origin, as they stand: deleting one would wait for every tab that has it open.
 * @param chosen by name
 */
export async function emptyDatabases(chosen: (name: string) => boolean): Promise<void> {
	for (const { name = '' } of await indexedDB.databases()) {
		if (!chosen(name)) continue;
		const database = await promisifyRequest(indexedDB.open(name));
		const rooms = [...database.objectStoreNames];
		if (rooms.length > 0) {
			const transaction = database.transaction(rooms, 'readwrite');
			for (const room of rooms) transaction.objectStore(room).clear();
			await promisifyRequest(transaction);
		}
		database.close();
	}
}

function abandon(transaction: IDBTransaction): void {
	try {
		transaction.abort();
	} catch {
		// It has ended already.
	}
}

/** Whether a fault says that a transaction takes no more requests. */
function isOver(fault: unknown): boolean {
	return (
		fault instanceof DOMException && (fault.name === 'TransactionInactiveError' || fault.name === 'InvalidStateError')
	);
}

function isFullDisk(fault: unknown): boolean {
	return fault instanceof DOMException && fault.name === 'QuotaExceededError';
}
