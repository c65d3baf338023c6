/** A value of schema `S` (kind name to value type) with its sandbox, kind and id. */
export type Entry<S> = {
	[K in keyof S & string]: { readonly sandbox: string; readonly kind: K; readonly id: string; readonly value: S[K] };
}[keyof S & string];

type MutableRecordSet<S> = { [K in keyof S & string]?: [id: string, record: S[K]][] };

/** The records of each sandbox, in the order in which they are added. */
export class RecordSets<S> {
	readonly bySandbox = new Map<string, MutableRecordSet<S>>();

	add<K extends keyof S & string>(sandbox: string, kind: K, id: string, record: S[K]): void {
		const set: MutableRecordSet<S> = this.bySandbox.get(sandbox) ?? {};
		this.bySandbox.set(sandbox, set);
		(set[kind] ??= []).push([id, record]);
	}
}

type AnyEntry = { readonly sandbox: string; readonly kind: string; readonly id: string; readonly value: unknown };

/** A change: an entry to write under its key, or (undefined) its deletion. */
export type Batch = ReadonlyMap<number, AnyEntry | undefined>;

/**
 * Writes the changes of a program that has all of its data in memory, so that what is stored is always a state that the memory
 * had. `set` adds to a batch, and `flush` writes the batch in one step.
 */
export class ChangeLog<S> {
	/** The keys count up, so that entries are read in the order in which they were first written. */
	readonly #keys = new Map<string, number>();
	readonly #writeBatch: (batch: Batch, durable: boolean) => Promise<void>;
	#lastKey = 0;
	#batch = new Map<number, AnyEntry | undefined>();
	#isDurable = false;
	#write: Promise<void> = Promise.resolve();
	#nextWrite: Promise<void> | undefined;
	/** How many durable changes were added, and how many of them are written. */
	#durable = { added: 0, written: 0 };

	/**
	 * @param writeBatch writes a batch, all or nothing; `durable`: it is on the disk when the promise resolves
	 * @param stored what is stored already, in the order of the keys
	 */
	constructor(
		writeBatch: (batch: Batch, durable: boolean) => Promise<void>,
		stored: Iterable<readonly [key: number, entry: Entry<S>]> = []
	) {
		this.#writeBatch = writeBatch;
		for (const [key, { sandbox, kind, id }] of stored) {
			this.#lastKey = key;
			this.#keys.set(nameOf(sandbox, kind, id), key);
		}
	}

	/** How many entries are stored once all changes so far are written. */
	get size(): number {
		return this.#keys.size;
	}

	/** Whether a durable change is not on the disk yet. */
	get isDurableWaiting(): boolean {
		return this.#durable.written < this.#durable.added;
	}

	/** How many durable changes were added so far. */
	get durableChanges(): number {
		return this.#durable.added;
	}

	/** The batch that writes entries whose changes were added, whether they are written already or not. */
	batchOf(entries: Iterable<AnyEntry>): Batch {
		const batch = new Map<number, AnyEntry>();
		for (const entry of entries) {
			const key = this.#keys.get(nameOf(entry.sandbox, entry.kind, entry.id));
			if (key !== undefined) batch.set(key, entry);
		}
		return batch;
	}

	/**
	 * Adds a change to the next batch.
	 * @param value undefined deletes the entry
	 * @param durable true if the batch must be on the disk before `flush` resolves
	 */
	set(sandbox: string, kind: keyof S & string, id: string, value: unknown, durable = false): void {
		const name = nameOf(sandbox, kind, id);
		const known = this.#keys.get(name);
		const key = known ?? ++this.#lastKey;
		if (value === undefined) this.#keys.delete(name);
		else if (known === undefined) this.#keys.set(name, key);
		this.#batch.set(key, value === undefined ? undefined : { sandbox, kind, id, value });
		this.#isDurable ||= durable;
		if (durable) this.#durable.added++;
	}

	/** Adds the deletion of all entries of a sandbox to the next batch. */
	deleteSandbox(sandbox: string): void {
		for (const [name, key] of this.#keys) {
			if (!name.startsWith(`${sandbox} `)) continue;
			this.#keys.delete(name);
			this.#batch.set(key, undefined);
		}
	}

	/** Resolves when all changes so far are written. Rejects if they are not: the next `flush` writes them again. */
	flush(): Promise<void> {
		if (this.#batch.size === 0) return this.#write;
		return (this.#nextWrite ??= this.#write
			.catch(() => undefined)
			.then(() => {
				this.#nextWrite = undefined;
				this.#write = this.#writeNext();
				return this.#write;
			}));
	}

	async #writeNext(): Promise<void> {
		const [batch, isDurable, { added }] = [this.#batch, this.#isDurable, this.#durable];
		this.#batch = new Map();
		this.#isDurable = false;
		try {
			await this.#writeBatch(batch, isDurable);
			this.#durable = { ...this.#durable, written: added };
		} catch (reason) {
			for (const [key, entry] of batch) if (!this.#batch.has(key)) this.#batch.set(key, entry);
			this.#isDurable ||= isDurable;
			throw reason;
		}
	}
}

function nameOf(sandbox: string, kind: string, id: string): string {
	return `${sandbox} ${kind} ${id}`;
}
