import { Collection } from './collection.ts';
import { maxIn } from './limits.ts';
import type { SandboxStore, Clocks, RecordSet, StoreOptions, Store } from './store.ts';

type Kind<S> = keyof S & string;
type Collections<S> = { [K in Kind<S>]?: Collection<S[K] & object> };

/**
 * A store in this process's memory. It is lost when the process ends.
 * @param rules how each kind is stored
 */
export function createMemoryStore<S extends { [K in keyof S]: object }>(rules: StoreOptions<S>): Store<S> {
	const stores = new Map<string, MemorySandboxStore<S>>();
	return {
		forSandbox(sandbox, clocks) {
			const known = stores.get(sandbox);
			if (known !== undefined) return known;
			const store = new MemorySandboxStore<S>(rules, sandbox, clocks);
			stores.set(sandbox, store);
			return store;
		},
		async sandboxes() {
			return [...stores].filter(([, store]) => store.size > 0).map(([sandbox]) => sandbox);
		},
		async drop(sandbox) {
			stores.delete(sandbox);
		},
		settled: () => undefined
	};
}

class MemorySandboxStore<S extends { [K in keyof S]: object }> implements SandboxStore<S> {
	readonly #collections: Collections<S> = {};
	readonly #all = new Map<string, Pick<Collection<object>, 'size' | 'purge'>>();

	constructor(
		readonly rules: StoreOptions<S>,
		readonly sandbox: string,
		readonly clocks: Clocks
	) {}

	async get<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		return this.#collection(kind).get(id);
	}

	async update<K extends Kind<S>>(
		kind: K,
		id: string,
		change: (now: S[K] | undefined) => S[K] | undefined
	): Promise<S[K] | undefined> {
		const collection = this.#collection(kind);
		const before = collection.get(id);
		const next = change(before);
		if (next !== before) collection.set(id, next);
		return next;
	}

	async delete<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		return this.#collection(kind).delete(id);
	}

	async list<K extends Kind<S>>(kind: K): Promise<[string, S[K]][]> {
		return this.#collection(kind).list();
	}

	async count(): Promise<number> {
		return this.size;
	}

	/** The number of records, including expired ones that are not yet deleted. */
	get size(): number {
		let records = 0;
		for (const collection of this.#all.values()) records += collection.size;
		return records;
	}

	async replace(contents: RecordSet<S>): Promise<void> {
		const swaps: (() => void)[] = [];
		for (const kind in this.rules) {
			const entries = contents[kind];
			if (entries !== undefined) swaps.push(this.#prepare(kind, entries));
		}
		for (const swap of swaps) swap();
	}

	async purge(): Promise<number> {
		let gone = 0;
		for (const collection of this.#all.values()) gone += collection.purge();
		return gone;
	}

	#collection<K extends Kind<S>>(kind: K): Collection<S[K]> {
		const known = this.#collections[kind];
		if (known !== undefined) return known;
		const collection = this.#empty(kind);
		this.#keep(kind, collection);
		return collection;
	}

	#prepare<K extends Kind<S>>(kind: K, entries: readonly (readonly [string, S[K]])[]): () => void {
		const collection = this.#empty(kind);
		collection.load(entries);
		return () => this.#keep(kind, collection);
	}

	#keep<K extends Kind<S>>(kind: K, collection: Collection<S[K]>): void {
		this.#collections[kind] = collection;
		this.#all.set(kind, collection);
	}

	#empty<K extends Kind<S>>(kind: K): Collection<S[K]> {
		const rules = this.rules[kind];
		const now = rules.clock === 'real' ? this.clocks.real : this.clocks.sandbox;
		return new Collection<S[K]>(rules, maxIn(rules, this.sandbox), now);
	}
}
