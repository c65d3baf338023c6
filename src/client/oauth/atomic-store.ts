/** Where the client keeps its records: a database, a file, IndexedDB. The only storage interface that must be implemented. */
export interface AtomicStore<T> {
	/** Reads a record; undefined: there is none. */
	get(key: string): Promise<T | undefined>;
	/**
	 * Reads and replaces a record in one atomic step, also between tabs or processes.
	 * @param change returns the new record, or undefined to delete it; synchronous; if it throws, nothing changes
	 * @returns the new record
	 */
	update(key: string, change: (current: T | undefined) => T | undefined): Promise<T | undefined>;
}

/**
 * A store that is lost when the process ends. Evicts the oldest record above its capacity.
 * @example
 * const counts = new MemoryStore<number>();
 * await counts.update('visits', (count = 0) => count + 1); // 1
 */
export class MemoryStore<T> implements AtomicStore<T> {
	readonly #records = new Map<string, T>();
	readonly #capacity: number;

	/** @param capacity maximum number of records */
	constructor(capacity = 10_000) {
		this.#capacity = capacity;
	}

	async get(key: string): Promise<T | undefined> {
		return this.#records.get(key);
	}

	async update(key: string, change: (current: T | undefined) => T | undefined): Promise<T | undefined> {
		const next = change(this.#records.get(key));
		if (next === undefined) this.#records.delete(key);
		else this.#records.set(key, next);
		const [oldest] = this.#records.keys();
		if (this.#records.size > this.#capacity && oldest !== undefined) this.#records.delete(oldest);
		return next;
	}
}
