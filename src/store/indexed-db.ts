import { promisifyRequest } from 'idb-keyval';
import { IndexedCollection } from './indexed-collection.ts';
import { below } from './indexed-form.ts';
import type { SandboxStore, Clocks, RecordSet, StoreOptions, Store } from './store.ts';

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

type Kind<S> = keyof S & string;
type Collections<S> = { [K in Kind<S>]?: IndexedCollection<S[K] & object> };

/**
 * A store in IndexedDB, which all tabs of a browser share: each method is one transaction.
 * @param rules how each kind is kept
 * @param transact over an object store that `createRecordStore` made
 */
export function createIndexedDbStore<S extends { [K in keyof S]: object }>(
	rules: StoreOptions<S>,
	transact: Transact
): Store<S> {
	const areas = new Map<string, IndexedDbArea<S>>();
	return {
		forSandbox(sandbox, clocks) {
			const known = areas.get(sandbox);
			if (known !== undefined) return known;
			const area = new IndexedDbArea<S>(rules, transact, sandbox, clocks);
			areas.set(sandbox, area);
			return area;
		},
		sandboxes: () => transact('readonly', false, sandboxesIn),
		settled: () => undefined,
		async drop(sandbox) {
			areas.get(sandbox)?.close();
			areas.delete(sandbox);
			await transact('readwrite', false, (objects) => promisifyRequest(objects.delete(below(sandbox))));
		}
	};
}

/** The sandboxes that have a record, each found by one step of a cursor. */
async function sandboxesIn(objects: IDBObjectStore): Promise<string[]> {
	const found: string[] = [];
	const request = objects.index('age').openKeyCursor();
	for (let cursor = await promisifyRequest(request); cursor !== null; cursor = await promisifyRequest(request)) {
		const [sandbox]: unknown[] = Array.isArray(cursor.key) ? cursor.key : [];
		found.push(String(sandbox));
		cursor.continue([String(sandbox), []]);
	}
	return found;
}

class IndexedDbArea<S extends { [K in keyof S]: object }> implements SandboxStore<S> {
	readonly #collections: Collections<S> = {};
	#isClosed = false;

	constructor(
		readonly rules: StoreOptions<S>,
		readonly transact: Transact,
		readonly sandbox: string,
		readonly clocks: Clocks
	) {}

	/** From now on nothing is kept: a call that is still under way must not leave records behind a sandbox that is gone. */
	close(): void {
		this.#isClosed = true;
	}

	get<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		return this.transact('readonly', false, (objects) => this.#collection(kind).get(objects, id));
	}

	update<K extends Kind<S>>(
		kind: K,
		id: string,
		change: (now: S[K] | undefined) => S[K] | undefined
	): Promise<S[K] | undefined> {
		return this.#write(kind, async (objects) => {
			const collection = this.#collection(kind);
			return this.#isClosed ? change(await collection.get(objects, id)) : collection.update(objects, id, change);
		});
	}

	delete<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		return this.#write(kind, (objects) => this.#collection(kind).delete(objects, id));
	}

	list<K extends Kind<S>>(kind: K): Promise<[string, S[K]][]> {
		return this.transact('readonly', false, (objects) => this.#collection(kind).list(objects));
	}

	count(): Promise<number> {
		// Tallies stand in no index.
		return this.transact('readonly', false, (objects) =>
			promisifyRequest(objects.index('age').count(below(this.sandbox)))
		);
	}

	async replace(contents: RecordSet<S>): Promise<void> {
		if (this.#isClosed) return;
		await this.transact('readwrite', true, async (objects) => {
			for (const kind in this.rules) {
				const entries = contents[kind];
				if (entries !== undefined) await this.#collection(kind).refill(objects, new Map(entries));
			}
		});
	}

	async purge(): Promise<number> {
		let gone = 0;
		for (const kind in this.rules) gone += await this.#purge(kind);
		return gone;
	}

	async #purge(kind: Kind<S>): Promise<number> {
		const collection = this.#collection(kind);
		const due = await this.transact('readonly', false, (objects) => collection.due(objects));
		return due === 0 ? 0 : this.transact('readwrite', false, (objects) => collection.purge(objects));
	}

	#write<T>(kind: Kind<S>, work: (objects: IDBObjectStore) => Promise<T>): Promise<T> {
		return this.transact('readwrite', this.rules[kind].durable === true, work);
	}

	#collection<K extends Kind<S>>(kind: K): IndexedCollection<S[K]> {
		const known = this.#collections[kind];
		if (known !== undefined) return known;
		const collection = new IndexedCollection<S[K]>(this.rules[kind], this.sandbox, kind, this.clocks);
		this.#collections[kind] = collection;
		return collection;
	}
}
