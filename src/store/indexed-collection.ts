import { promisifyRequest } from 'idb-keyval';
import { isProtected, maxIn, weightOf } from './limits.ts';
import { below, type Stored, type Tally } from './indexed-form.ts';
import { StoreFull, type Clocks, type Expiring, type CollectionOptions } from './store.ts';

/** The most that one kind of one sandbox holds here, whatever its rules allow on a server: a browser's space is lent. */
const mostOfAKind = 20_000;
/** How many expired records one purge deletes, so that it never holds up a request for long. */
const mostPurged = 500;

type Cursor<Entry extends Expiring> = Pick<IDBCursorWithValue, 'delete' | 'continue'> & {
	readonly value: Stored<Entry>;
};

/** The records of one kind in one sandbox, in IndexedDB. Each method works in the transaction whose object store it is given. */
export class IndexedCollection<Entry extends Expiring> {
	#latest = 0;

	/**
	 * @param rules how this kind is kept
	 * @param sandbox whose records they are
	 * @param clocks of the sandbox
	 */
	constructor(
		readonly rules: CollectionOptions<Entry>,
		readonly sandbox: string,
		readonly kind: string,
		readonly clocks: Clocks
	) {}

	async get(objects: IDBObjectStore, id: string): Promise<Entry | undefined> {
		return this.#live(await this.#read(objects, id));
	}

	/**
	 * Reads and writes or (undefined) deletes. Gives what `change` gave.
	 * @throws StoreFull where nothing may give way to a new record
	 */
	async update(
		objects: IDBObjectStore,
		id: string,
		change: (now: Entry | undefined) => Entry | undefined
	): Promise<Entry | undefined> {
		const stored = await this.#read(objects, id);
		const before = this.#live(stored);
		const next = change(before);
		if (next === before) return next;
		await this.#tally(objects, this.#weigh(next) - this.#weigh(stored?.record), id);
		if (next === undefined) objects.delete([this.sandbox, this.kind, id]);
		else this.#put(objects, id, stored === undefined || before === undefined ? this.#born() : stored.born, next);
		return next;
	}

	async delete(objects: IDBObjectStore, id: string): Promise<Entry | undefined> {
		const stored = await this.#read(objects, id);
		if (stored !== undefined) await this.#remove(objects, stored);
		return this.#live(stored);
	}

	/** All live records, oldest first. */
	async list(objects: IDBObjectStore): Promise<[string, Entry][]> {
		const ofThisKind = below(this.sandbox, this.kind);
		const all = await promisifyRequest<Stored<Entry>[]>(objects.index('age').getAll(ofThisKind));
		return all.filter((stored) => !this.#expired(stored)).map(({ id, record }) => [id, record]);
	}

	/**
	 * Puts records in place of all that there are, whatever the clock says of them: it may be about to be set.
	 * @throws StoreFull where they are more than the cap
	 */
	async refill(objects: IDBObjectStore, entries: ReadonlyMap<string, Entry>): Promise<void> {
		await promisifyRequest(objects.delete(below(this.sandbox, this.kind)));
		let weight = 0;
		for (const [id, record] of entries) {
			weight += this.#weigh(record);
			this.#put(objects, id, this.#born(), record);
		}
		if (weight > this.#cap()) throw full();
		objects.put({ weight } satisfies Tally, [this.sandbox, this.kind]);
	}

	/** How many records have expired and are still there. */
	due(objects: IDBObjectStore): Promise<number> {
		return promisifyRequest(objects.index('expiry').count(this.#past()));
	}

	/** Deletes expired records, a bounded number of them a call. Gives how many. */
	async purge(objects: IDBObjectStore): Promise<number> {
		const past = await promisifyRequest<Stored<Entry>[]>(objects.index('expiry').getAll(this.#past(), mostPurged));
		for (const stored of past) await this.#remove(objects, stored);
		return past.length;
	}

	#read(objects: IDBObjectStore, id: string): Promise<Stored<Entry> | undefined> {
		return promisifyRequest<Stored<Entry> | undefined>(objects.get([this.sandbox, this.kind, id]));
	}

	#put(objects: IDBObjectStore, id: string, born: number, record: Entry): void {
		const { sandbox, kind } = this;
		const { expires }: Expiring = record;
		const dated = expires === undefined ? {} : { expires };
		objects.put({ sandbox, kind, id, born, ...dated, record } satisfies Stored<Entry>, [sandbox, kind, id]);
	}

	async #remove(objects: IDBObjectStore, stored: Stored<Entry>): Promise<void> {
		objects.delete([this.sandbox, this.kind, stored.id]);
		await this.#tally(objects, -this.#weigh(stored.record), stored.id);
	}

	/** Keeps account of what there is, and makes room for more where the cap is reached. */
	async #tally(objects: IDBObjectStore, growth: number, id: string): Promise<void> {
		if (growth === 0) return;
		const key = [this.sandbox, this.kind];
		const { weight = 0 } = (await promisifyRequest<Tally | undefined>(objects.get(key))) ?? {};
		const excess = growth > 0 ? weight + growth - this.#cap() : 0;
		const freed = excess > 0 ? await this.#makeRoom(objects, excess, id) : 0;
		objects.put({ weight: Math.max(0, weight + growth - freed) } satisfies Tally, key);
	}

	/** Deletes the oldest that need not be kept. Gives how much that freed. */
	#makeRoom(objects: IDBObjectStore, excess: number, newcomer: string): Promise<number> {
		const isKept = (stored: Stored<Entry>) =>
			stored.id === newcomer || (isProtected(this.rules, stored.record) && !this.#expired(stored));
		let freed = 0;
		return new Promise((resolve, reject) => {
			const walk = objects.index('age').openCursor(below(this.sandbox, this.kind));
			walk.onerror = () => reject(walk.error ?? new Error('the records could not be read'));
			walk.onsuccess = () => {
				const cursor: Cursor<Entry> | null = walk.result;
				if (freed >= excess) return resolve(freed);
				if (cursor === null) return reject(full());
				const stored = cursor.value;
				if (!isKept(stored)) {
					freed += this.#weigh(stored.record);
					cursor.delete();
				}
				cursor.continue();
			};
		});
	}

	#cap(): number {
		return Math.min(mostOfAKind, maxIn(this.rules, this.sandbox));
	}

	#weigh(record: Entry | undefined): number {
		return record === undefined ? 0 : weightOf(this.rules, record);
	}

	#live(stored: Stored<Entry> | undefined): Entry | undefined {
		return stored === undefined || this.#expired(stored) ? undefined : stored.record;
	}

	#expired({ expires }: Expiring): boolean {
		return expires !== undefined && expires <= this.#now();
	}

	#past(): IDBKeyRange {
		return IDBKeyRange.bound([this.sandbox, this.kind, -Infinity], [this.sandbox, this.kind, this.#now()]);
	}

	#now(): number {
		return this.rules.clock === 'real' ? this.clocks.real() : this.clocks.sandbox();
	}

	#born(): number {
		this.#latest = Math.max(this.clocks.real(), this.#latest + 1 / 1024);
		return this.#latest;
	}
}

function full(): StoreFull {
	return new StoreFull('This sandbox can hold no more of these.');
}
