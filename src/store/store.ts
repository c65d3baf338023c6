import type { ByteBudget } from './byte-budget.ts';

/** A record may carry the instant from which it no longer exists, in milliseconds on the clock of its kind. */
export type Expiring = { readonly expires?: number };

/** The names of a record's fields that hold a number. */
export type NumberField<Entry> = { [K in keyof Entry]-?: Entry[K] extends number ? K : never }[keyof Entry];

/** The names of a record's fields that hold text. */
export type TextField<Entry> = {
	[K in keyof Entry]-?: Entry[K] extends string | undefined ? K : never;
}[keyof Entry];

/** How a kind is stored. All of it is data, so that a store outside this process can apply it without calling our code. */
export type CollectionOptions<Entry> = {
	/**
	 * The most that one sandbox holds. A new record beyond it evicts unprotected ones: the oldest of the owner that holds the most. If
	 * they are not enough, `StoreFull` is thrown.
	 */
	readonly maxPerSandbox: number;
	/** The limits of sandboxes that have another one, by the sandbox's id. */
	readonly maxFor?: Readonly<Record<string, number>>;
	/**
	 * The field that names the owner of a record. Records without it have one owner together. An owner that holds the most, and more
	 * than one, loses protected records too, once it has no others. Protected records without an owner stay.
	 */
	readonly owner?: TextField<Entry>;
	/** Limits the records that have the same value in a field. A new one beyond the limit evicts the oldest of them. */
	readonly maxPerGroup?: { readonly field: TextField<Entry>; readonly max: number };
	/** The field that says what a record counts against the limit. Default: 1. */
	readonly weightField?: NumberField<Entry>;
	/** Which records are not evicted: all, those without `expires`, or those in which one of the fields has reached its minimum. */
	readonly protect?: 'all' | 'without_expiry' | readonly { readonly field: NumberField<Entry>; readonly min: number }[];
	/** Fields without which a record is damaged, and their types. Stores that keep records outside this process check them on load. */
	readonly required?: { readonly [K in keyof Entry]?: FieldType };
	/** The clock of `expires`: the sandbox's, which can be moved, or the real one. */
	readonly clock: 'sandbox' | 'real';
	/** True: such records change seldom. A store outside this process may keep them, if each request asks it whether one has changed. */
	readonly isStable?: true;
	/** Kinds that are read after a record, and the fields of the record whose values, one in each line, are the id there. */
	readonly leadsTo?: Readonly<Record<string, readonly Extract<TextField<Entry>, string>[]>>;
	/** True if a change must survive a crash: losing it would make something used or revoked work again, or lose a secret that is shown once. */
	readonly durable?: boolean;
};

/** What `typeof` says of a field. */
export type FieldType = 'string' | 'number' | 'boolean' | 'object';

/** Whether a record has the fields that its kind requires. */
export function isComplete(record: object, required: Readonly<Record<string, FieldType | undefined>> = {}): boolean {
	return Object.entries(required).every(([field, type]) => {
		const value: unknown = Reflect.get(record, field);
		return typeof value === type && value !== null;
	});
}

/** How all kinds of a schema (kind name to record type) are stored. */
export type StoreOptions<S> = { readonly [K in keyof S]: CollectionOptions<S[K]> };

/** The time by the clock of one sandbox and by the real one, in milliseconds since 1970. */
export type Clocks = { sandbox(): number; real(): number };

/** The records of some kinds, each with its id, oldest first. */
export type RecordSet<S> = { readonly [K in keyof S & string]?: readonly (readonly [id: string, record: S[K]])[] };

export type RecordKey<S> = { [K in keyof S & string]: readonly [kind: K, id: string] }[keyof S & string];

/** Lists the live records of a kind, oldest first. */
export type ListRecords<S> = <K extends keyof S & string>(kind: K) => [id: string, record: S[K]][];

/**
 * The records of one sandbox. Expired records are never seen. Every method is atomic.
 * `change` is synchronous and pure: it may run more than once.
 */
export interface SandboxStore<S> {
	/**
	 * The same records, for one request: none is older than the beginning of the request.
	 * @param expected lists what the request will probably read, so that a store outside of this process can read it together
	 */
	begin(expected: () => readonly RecordKey<S>[]): SandboxStore<S> | Promise<SandboxStore<S>>;
	get<K extends keyof S & string>(kind: K, id: string): Promise<S[K] | undefined>;
	/**
	 * Reads and writes a record atomically.
	 * @param change gets the live record and returns the next one; undefined deletes it
	 * @returns what `change` returned
	 */
	update<K extends keyof S & string>(
		kind: K,
		id: string,
		change: (now: S[K] | undefined) => S[K] | undefined
	): Promise<S[K] | undefined>;
	/** Deletes and returns what was there. */
	delete<K extends keyof S & string>(kind: K, id: string): Promise<S[K] | undefined>;
	/** All live records of a kind, oldest first. */
	list<K extends keyof S & string>(kind: K): Promise<[id: string, record: S[K]][]>;
	/**
	 * The live records in which a field has the lowest values above a bound, lowest first. Cheaper than `list`.
	 * @param most how many are returned; `total` counts all above the bound
	 */
	lowest<K extends keyof S & string>(
		kind: K,
		field: NumberField<S[K]>,
		above: number,
		most: number
	): Promise<{ records: [id: string, record: S[K]][]; total: number }>;
	/** The number of records of all kinds. Expired ones count until they are purged. */
	count(): Promise<number>;
	/**
	 * Replaces all records of these kinds in one step: no reader sees a part of it.
	 * @param contents or a function that derives them from the live records within that step
	 * @throws StoreFull if a kind has more records than its limit; nothing is changed then
	 */
	replace(contents: RecordSet<S> | ((list: ListRecords<S>) => RecordSet<S>)): Promise<void>;
	/** Deletes expired records. Returns how many. */
	purge(): Promise<number>;
}

/** The records of all sandboxes. Held to `tests/store/contract.ts`. */
export interface Store<S> {
	/**
	 * The records of one sandbox: the same object for the same id, empty when new.
	 * @param budget that its records count against; a store outside of this process ignores it. Where it is used up, kinds with an
	 * owner lose records, those that take the most memory first
	 */
	forSandbox(sandbox: string, clocks: Clocks, budget?: ByteBudget): SandboxStore<S>;
	/** The ids of all sandboxes that hold records, also those that `forSandbox` was not called for. */
	sandboxes(): Promise<string[]>;
	/** Deletes a sandbox with all its records. Later writes to its `SandboxStore` are not stored. */
	drop(sandbox: string): Promise<void>;
	/** How many changes of durable kinds there were so far, for `settled`. */
	durableChanges(): number;
	/**
	 * Resolves when all changes of durable kinds so far survive a crash; undefined if none is waiting. No other method waits for
	 * that: the service asks once per request, before it releases the response. Rejects if the changes may be lost.
	 * @param since `durableChanges` at the beginning of the request. A request that has changed nothing since passes while
	 * nothing can be written
	 */
	settled(since?: number): Promise<void> | undefined;
}
