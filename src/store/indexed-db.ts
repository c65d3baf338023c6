import { promisifyRequest } from 'idb-keyval';
import {
	StoreFull,
	type Area,
	type Clocks,
	type Contents,
	type Expiring,
	type KindRules,
	type SchemaRules,
	type Store
} from './store.ts';

/**
 * Runs one transaction over the object store of the records, and resolves when it is complete. A `work` that rejects undoes it.
 * @param durable true where the transaction must be on the disk before it counts as complete
 * @param work may await nothing but requests of this transaction, else that ends under it
 */
export type Transact = <T>(
	mode: IDBTransactionMode,
	durable: boolean,
	work: (objects: IDBObjectStore) => Promise<T>
) => Promise<T>;

/** The most that one kind of one sandbox holds here, whatever its rules allow on a server: a browser's space is lent. */
const mostOfAKind = 20_000;
/** How many expired records of a kind one purge deletes, so that it never holds up a request for long. */
const mostPurged = 500;

type Kind<S> = keyof S & string;
type Stored<Entry> = {
	readonly sandbox: string;
	readonly kind: string;
	readonly id: string;
	/** Orders records by age: milliseconds on the real clock, made unique. */
	readonly born: number;
	/** Milliseconds on the clock of its kind. IndexedDB leaves records without it out of the index. */
	readonly expires?: number;
	readonly record: Entry;
};
type Cursor<Entry> = Pick<IDBCursorWithValue, 'delete' | 'continue'> & { readonly value: Stored<Entry> };
/** What a kind holds in the units of its rules; under the key `[sandbox, kind]`, in no index. */
type Tally = { readonly weight: number };

/**
 * Makes the object store and its indexes, in the transaction of a database's upgrade. Keys are `[sandbox, kind, id]`.
 * @param name of the object store
 */
export function createRecordStore(database: IDBDatabase, name: string): void {
	const objects = database.createObjectStore(name);
	objects.createIndex('age', ['sandbox', 'kind', 'born']);
	objects.createIndex('expiry', ['sandbox', 'kind', 'expires']);
}

/**
 * A store in IndexedDB, which all tabs of a browser share: each method is one transaction.
 * @param rules how each kind is kept
 * @param transact over an object store that `createRecordStore` made
 */
export function createIndexedDbStore<S extends { [K in keyof S]: object }>(
	rules: SchemaRules<S>,
	transact: Transact
): Store<S> {
	const areas = new Map<string, IndexedDbArea<S>>();
	return {
		area(sandbox, clocks) {
			const known = areas.get(sandbox);
			if (known !== undefined) return known;
			const area = new IndexedDbArea<S>(rules, transact, sandbox, clocks);
			areas.set(sandbox, area);
			return area;
		},
		async drop(sandbox) {
			areas.get(sandbox)?.close();
			areas.delete(sandbox);
			await transact('readwrite', false, (objects) => promisifyRequest(objects.delete(below(sandbox))));
		}
	};
}

class IndexedDbArea<S extends { [K in keyof S]: object }> implements Area<S> {
	#latest = 0;
	#isClosed = false;

	constructor(
		readonly rules: SchemaRules<S>,
		readonly transact: Transact,
		readonly sandbox: string,
		readonly clocks: Clocks
	) {}

	/** From now on nothing is kept: a call that is still under way must not leave records behind a sandbox that is gone. */
	close(): void {
		this.#isClosed = true;
	}

	async get<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		return this.transact('readonly', false, async (objects) => {
			const stored = await this.#read(objects, kind, id);
			return this.#live(kind, stored);
		});
	}

	async update<K extends Kind<S>>(
		kind: K,
		id: string,
		change: (now: S[K] | undefined) => S[K] | undefined
	): Promise<S[K] | undefined> {
		return this.transact('readwrite', this.rules[kind].durable === true, async (objects) => {
			const stored = await this.#read(objects, kind, id);
			const before = this.#live(kind, stored);
			const next = change(before);
			if (next === before || this.#isClosed) return next;
			await this.#tally(objects, kind, this.#weigh(kind, next) - this.#weigh(kind, stored?.record), id);
			if (next === undefined) {
				objects.delete([this.sandbox, kind, id]);
			} else {
				const born = stored === undefined || before === undefined ? this.#born() : stored.born;
				this.#put(objects, kind, id, born, next);
			}
			return next;
		});
	}

	async delete<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		return this.transact('readwrite', this.rules[kind].durable === true, async (objects) => {
			const stored = await this.#read(objects, kind, id);
			if (stored !== undefined) await this.#remove(objects, kind, stored);
			return this.#live(kind, stored);
		});
	}

	async list<K extends Kind<S>>(kind: K): Promise<[string, S[K]][]> {
		return this.transact('readonly', false, async (objects) => {
			const all = await promisifyRequest<Stored<S[K]>[]>(objects.index('age').getAll(below(this.sandbox, kind)));
			return all.filter((stored) => !this.#expired(kind, stored)).map(({ id, record }) => [id, record]);
		});
	}

	async count(): Promise<number> {
		// Tallies stand in no index.
		return this.transact('readonly', false, (objects) =>
			promisifyRequest(objects.index('age').count(below(this.sandbox)))
		);
	}

	async replace(contents: Contents<S>): Promise<void> {
		if (this.#isClosed) return;
		await this.transact('readwrite', true, async (objects) => {
			for (const kind in this.rules) {
				const entries = contents[kind];
				if (entries !== undefined) await this.#refill(objects, kind, new Map(entries));
			}
		});
	}

	async purge(): Promise<number> {
		let gone = 0;
		for (const kind in this.rules) gone += await this.#purgeKind(kind);
		return gone;
	}

	async #refill<K extends Kind<S>>(objects: IDBObjectStore, kind: K, entries: Map<string, S[K]>): Promise<void> {
		await promisifyRequest(objects.delete(below(this.sandbox, kind)));
		let weight = 0;
		for (const [id, record] of entries) {
			weight += this.#weigh(kind, record);
			this.#put(objects, kind, id, this.#born(), record);
		}
		if (weight > this.#cap(kind)) throw full();
		objects.put({ weight } satisfies Tally, [this.sandbox, kind]);
	}

	async #purgeKind<K extends Kind<S>>(kind: K): Promise<number> {
		const due = () => IDBKeyRange.bound([this.sandbox, kind, -Infinity], [this.sandbox, kind, this.#clock(kind)]);
		const count = await this.transact('readonly', false, (objects) =>
			promisifyRequest(objects.index('expiry').count(due()))
		);
		if (count === 0) return 0;
		return this.transact('readwrite', false, async (objects) => {
			const expired = await promisifyRequest<Stored<S[K]>[]>(objects.index('expiry').getAll(due(), mostPurged));
			for (const stored of expired) await this.#remove(objects, kind, stored);
			return expired.length;
		});
	}

	#read<K extends Kind<S>>(objects: IDBObjectStore, kind: K, id: string): Promise<Stored<S[K]> | undefined> {
		return promisifyRequest<Stored<S[K]> | undefined>(objects.get([this.sandbox, kind, id]));
	}

	#put<K extends Kind<S>>(objects: IDBObjectStore, kind: K, id: string, born: number, record: S[K]): void {
		const { expires }: Expiring = record;
		const dated = expires === undefined ? {} : { expires };
		objects.put({ sandbox: this.sandbox, kind, id, born, ...dated, record }, [this.sandbox, kind, id]);
	}

	async #remove<K extends Kind<S>>(objects: IDBObjectStore, kind: K, stored: Stored<S[K]>): Promise<void> {
		objects.delete([this.sandbox, kind, stored.id]);
		await this.#tally(objects, kind, -this.#weigh(kind, stored.record), stored.id);
	}

	/** Keeps account of what a kind holds, and makes room for more where its cap is reached. */
	async #tally<K extends Kind<S>>(objects: IDBObjectStore, kind: K, growth: number, id: string): Promise<void> {
		if (growth === 0) return;
		const key = [this.sandbox, kind];
		const { weight = 0 } = (await promisifyRequest<Tally | undefined>(objects.get(key))) ?? {};
		const excess = growth > 0 ? weight + growth - this.#cap(kind) : 0;
		const freed = excess > 0 ? await this.#makeRoom(objects, kind, excess, id) : 0;
		objects.put({ weight: Math.max(0, weight + growth - freed) } satisfies Tally, key);
	}

	/** Deletes the oldest that need not be kept. Returns how much that freed. */
	#makeRoom<K extends Kind<S>>(objects: IDBObjectStore, kind: K, excess: number, newcomer: string): Promise<number> {
		const keep = (stored: Stored<S[K]>) =>
			stored.id === newcomer || (this.rules[kind].keep?.(stored.record) === true && !this.#expired(kind, stored));
		let freed = 0;
		return new Promise((resolve, reject) => {
			const walk = objects.index('age').openCursor(below(this.sandbox, kind));
			walk.onerror = () => reject(walk.error ?? new Error('the records could not be read'));
			walk.onsuccess = () => {
				const cursor: Cursor<S[K]> | null = walk.result;
				if (freed >= excess) return resolve(freed);
				if (cursor === null) return reject(full());
				const stored = cursor.value;
				if (!keep(stored)) {
					freed += this.#weigh(kind, stored.record);
					cursor.delete();
				}
				cursor.continue();
			};
		});
	}

	#cap(kind: Kind<S>): number {
		return Math.min(mostOfAKind, this.rules[kind].cap(this.sandbox));
	}

	#weigh<K extends Kind<S>>(kind: K, record: S[K] | undefined): number {
		const rules: KindRules<S[K]> = this.rules[kind];
		return record === undefined ? 0 : (rules.weigh?.(record) ?? 1);
	}

	#live<K extends Kind<S>>(kind: K, stored: Stored<S[K]> | undefined): S[K] | undefined {
		return stored === undefined || this.#expired(kind, stored) ? undefined : stored.record;
	}

	#expired(kind: Kind<S>, { expires }: Expiring): boolean {
		return expires !== undefined && expires <= this.#clock(kind);
	}

	#clock(kind: Kind<S>): number {
		return this.rules[kind].clock === 'real' ? this.clocks.real() : this.clocks.sandbox();
	}

	#born(): number {
		this.#latest = Math.max(this.clocks.real(), this.#latest + 1 / 1024);
		return this.#latest;
	}
}

function full(): StoreFull {
	return new StoreFull('This sandbox can hold no more of these.');
}

/** Everything whose key begins so: an array is greater than any number or text. */
function below(...key: readonly string[]): IDBKeyRange {
	return IDBKeyRange.bound([...key], [...key, []]);
}
