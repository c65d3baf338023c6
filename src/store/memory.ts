import { ByteBudget } from './byte-budget.ts';
import { Collection } from './collection.ts';
import { maxIn } from './collection-limits.ts';
import type { SandboxStore, Clocks, ListRecords, NumberField, RecordSet, StoreOptions, Store } from './store.ts';

type Kind<S> = keyof S & string;
type Collections<S> = { [K in Kind<S>]?: Collection<S[K] & object> };

/** For a program that stores a copy of the records elsewhere. */
export type MemoryStoreOptions<S> = {
	/** The records to start with, by sandbox. */
	readonly initial?: ReadonlyMap<string, RecordSet<S>>;
	/**
	 * Called in order for each record that is written, or (undefined) deleted, evicted, expired or dropped with its sandbox.
	 * `replace` reports the deletion of all old records of a kind, then the new ones.
	 */
	readonly onChange?: <K extends Kind<S>>(sandbox: string, kind: K, id: string, record: S[K] | undefined) => void;
	/** Called before a record of a kind is written or deleted by a caller. May throw: nothing is changed then. */
	readonly beforeChange?: (kind: Kind<S>) => void;
	/** A limit of each kind in each sandbox, below its own. */
	readonly maxPerKind?: number;
};

export type PlacedRecord<S> = {
	readonly sandbox: string;
	readonly kind: Kind<S>;
	readonly id: string;
	readonly value: S[Kind<S>];
};

export type MemoryStore<S> = Store<S> & {
	/** All records of all sandboxes, also those that `onChange` was not called for. */
	all(): Iterable<PlacedRecord<S>>;
};

/**
 * A store in this process's memory. It is lost when the process ends.
 * @param rules how each kind is stored
 * @param options for a program that stores a copy of the records elsewhere
 */
export function createMemoryStore<S extends { [K in keyof S]: object }>(
	rules: StoreOptions<S>,
	options: MemoryStoreOptions<S> = {}
): MemoryStore<S> {
	const stores = new Map<string, MemorySandboxStore<S>>();
	const unopened = new Map(options.initial);
	const kinds: Kind<S>[] = [];
	for (const kind in rules) kinds.push(kind);
	const open = (sandbox: string, clocks: Clocks, budget = new ByteBudget(Infinity)) => {
		const store = new MemorySandboxStore<S>(rules, options, sandbox, clocks, budget, unopened.get(sandbox) ?? {});
		unopened.delete(sandbox);
		return store;
	};
	return {
		forSandbox(sandbox, clocks, budget) {
			const known = stores.get(sandbox);
			if (known !== undefined) return known;
			const store = open(sandbox, clocks, budget);
			stores.set(sandbox, store);
			return store;
		},
		async sandboxes() {
			return [...[...stores].filter(([, store]) => store.size > 0).map(([sandbox]) => sandbox), ...unopened.keys()];
		},
		async drop(sandbox) {
			for (const kind of kinds) options.beforeChange?.(kind);
			const store = unopened.has(sandbox) ? open(sandbox, noClocks) : stores.get(sandbox);
			store?.close();
			stores.delete(sandbox);
		},
		durableChanges: () => 0,
		settled: () => undefined,
		*all() {
			for (const [sandbox, store] of stores)
				for (const kind of kinds) yield* placed(sandbox, kind, store.entries(kind));
			for (const [sandbox, records] of unopened)
				for (const kind of kinds) yield* placed<S, typeof kind>(sandbox, kind, records[kind] ?? []);
		}
	};
}

function* placed<S, K extends Kind<S>>(
	sandbox: string,
	kind: K,
	entries: Iterable<readonly [string, S[K]]>
): Generator<PlacedRecord<S>> {
	for (const [id, value] of entries) yield { sandbox, kind, id, value };
}

/** For a store that is closed at once. */
const noClocks: Clocks = { sandbox: () => 0, real: () => 0 };

class MemorySandboxStore<S extends { [K in keyof S]: object }> implements SandboxStore<S> {
	readonly #collections: Collections<S> = {};
	readonly #all = new Map<string, Pick<Collection<object>, 'size' | 'purge' | 'releasable' | 'evictOldest'>>();
	#isClosed = false;

	constructor(
		readonly rules: StoreOptions<S>,
		readonly options: MemoryStoreOptions<S>,
		readonly sandbox: string,
		readonly clocks: Clocks,
		readonly budget: ByteBudget,
		initial: RecordSet<S>
	) {
		for (const kind in rules) {
			const entries = initial[kind];
			if (entries === undefined) continue;
			const collection = this.#filled(kind, entries);
			budget.add(collection.bytes);
			this.#keep(kind, collection);
		}
	}

	/** Reports the deletion of all records, and nothing after that: a request in progress may still write to a dropped sandbox. */
	close(): void {
		for (const kind in this.rules) this.#reportDeletions(kind);
		this.#isClosed = true;
		this.budget.close();
	}

	begin(): this {
		return this;
	}

	async get<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		return this.#collection(kind).get(id);
	}

	async update<K extends Kind<S>>(
		kind: K,
		id: string,
		change: (now: S[K] | undefined) => S[K] | undefined
	): Promise<S[K] | undefined> {
		const { beforeChange } = this.options;
		if (beforeChange === undefined) return this.#collection(kind).update(id, change);
		return this.#collection(kind).update(id, (now) => {
			const next = change(now);
			if (next !== now) beforeChange(kind);
			return next;
		});
	}

	async delete<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		const collection = this.#collection(kind);
		if (collection.get(id) !== undefined) this.options.beforeChange?.(kind);
		return collection.delete(id);
	}

	/** All records of a kind, including expired ones. */
	entries<K extends Kind<S>>(kind: K): Iterable<readonly [string, S[K]]> {
		return this.#collections[kind]?.entries() ?? [];
	}

	async list<K extends Kind<S>>(kind: K): Promise<[string, S[K]][]> {
		return this.#collection(kind).list();
	}

	async lowest<K extends Kind<S>>(kind: K, field: NumberField<S[K]>, above: number, most: number) {
		return this.#collection(kind).lowest(field, above, most);
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

	async replace(replacement: RecordSet<S> | ((list: ListRecords<S>) => RecordSet<S>)): Promise<void> {
		const contents =
			typeof replacement === 'function' ? replacement((kind) => this.#collection(kind).list()) : replacement;
		const swaps: (() => void)[] = [];
		let bytes = 0;
		for (const kind in this.rules) {
			const entries = contents[kind];
			if (entries === undefined) continue;
			this.options.beforeChange?.(kind);
			const collection = this.#filled(kind, entries);
			bytes += collection.bytes - (this.#collections[kind]?.bytes ?? 0);
			swaps.push(() => this.#swap(kind, collection));
		}
		this.budget.add(bytes);
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

	/** Puts a collection in place of the old one. */
	#swap<K extends Kind<S>>(kind: K, collection: Collection<S[K]>): void {
		this.#reportDeletions(kind);
		this.#keep(kind, collection);
		for (const [id, record] of collection.entries()) this.#report(kind, id, record);
	}

	#filled<K extends Kind<S>>(kind: K, entries: readonly (readonly [string, S[K]])[]): Collection<S[K]> {
		const collection = this.#empty(kind);
		collection.load(entries);
		return collection;
	}

	#keep<K extends Kind<S>>(kind: K, collection: Collection<S[K]>): void {
		this.#collections[kind] = collection;
		this.#all.set(kind, collection);
	}

	#empty<K extends Kind<S>>(kind: K): Collection<S[K]> {
		const rules = this.rules[kind];
		const now = rules.clock === 'real' ? this.clocks.real : this.clocks.sandbox;
		const max = Math.min(this.options.maxPerKind ?? Infinity, maxIn(rules, this.sandbox));
		return new Collection<S[K]>(rules, max, now, this.budget, {
			onChange: (id, record) => this.#report(kind, id, record),
			makeRoom: (bytes, id) => this.#makeRoom(bytes, id),
			releasable: () => this.#releasable
		});
	}

	/** The most bytes that evictions can release. */
	get #releasable(): number {
		let bytes = 0;
		for (const { releasable } of this.#all.values()) bytes += releasable;
		return bytes;
	}

	/** Evicts records of the kinds that take the most memory. */
	#makeRoom(bytes: number, except: string): void {
		if (this.budget.lacking(bytes) === 0) return;
		const kinds = [...this.#all.values()].filter(({ releasable }) => releasable > 0);
		while (this.budget.lacking(bytes) > 0) {
			kinds.sort((one, other) => other.releasable - one.releasable);
			if (!kinds.some((kind) => kind.evictOldest(except))) return;
		}
	}

	#reportDeletions(kind: Kind<S>): void {
		if (this.options.onChange === undefined) return;
		for (const [id] of this.entries(kind)) this.#report(kind, id, undefined);
	}

	#report<K extends Kind<S>>(kind: K, id: string, record: S[K] | undefined): void {
		if (!this.#isClosed) this.options.onChange?.(this.sandbox, kind, id, record);
	}
}
