/** What every record may carry: the instant (milliseconds, on the clock of its kind) from which it no longer exists. */
export type Expiring = { readonly expires?: number };

/** How a kind is kept. */
export type CollectionOptions<Entry> = {
	/** How much one sandbox may hold, in the units of `weigh`; the oldest that need not be kept gives way, else `StoreFull` is thrown. */
	readonly capacity: (sandbox: string) => number;
	/** What a record counts against the cap; 1 where absent. */
	readonly sizeOf?: (entry: Entry) => number;
	/** Which clock its `expires` is read on: the sandbox's, which can be moved, or the real one. */
	readonly clock: 'sandbox' | 'real';
	/** True for a record that must not give way to a newer one (somebody over a limit, say). */
	readonly isProtected?: (entry: Entry) => boolean;
	/** True where a loss after a crash would let something consumed or revoked live again. */
	readonly durable?: boolean;
};

/** How all kinds of a schema (kind name to record type) are kept. */
export type StoreOptions<S> = { readonly [K in keyof S]: CollectionOptions<S[K]> };

/** Tells the time (milliseconds since 1970) by the clock of one sandbox and by the real one. */
export type Clocks = { sandbox(): number; real(): number };

/** The records of some kinds, each with its id, oldest first. */
export type RecordSet<S> = { readonly [K in keyof S & string]?: readonly (readonly [id: string, record: S[K]])[] };

/**
 * The records of one sandbox. Expired records are never seen. Every method is atomic.
 * `change` is synchronous and pure: it may run more than once.
 */
export interface SandboxStore<S> {
	get<K extends keyof S & string>(kind: K, id: string): Promise<S[K] | undefined>;
	/** Reads and writes in one step. `change` gets the live record, and returns the next one (undefined: deleted). Returns what `change` returned. */
	update<K extends keyof S & string>(
		kind: K,
		id: string,
		change: (now: S[K] | undefined) => S[K] | undefined
	): Promise<S[K] | undefined>;
	/** Deletes and returns what was there. */
	delete<K extends keyof S & string>(kind: K, id: string): Promise<S[K] | undefined>;
	/** All live records of a kind, oldest first. */
	list<K extends keyof S & string>(kind: K): Promise<[id: string, record: S[K]][]>;
	/** How many records there are, of all kinds; expired ones count until they are purged. */
	count(): Promise<number>;
	/**
	 * Puts these records in place of all that there are of their kinds, in one step: nobody sees a part of it.
	 * @throws StoreFull where they are more than a kind may hold; nothing has changed then
	 */
	replace(contents: RecordSet<S>): Promise<void>;
	/** Deletes what has expired; returns how many records went. */
	purge(): Promise<number>;
}

/** Where the records of all sandboxes live. Held to `tests/store/contract.ts`. */
export interface Store<S> {
	/** The records of one sandbox; the same area for the same id, empty when new. */
	forSandbox(sandbox: string, clocks: Clocks): SandboxStore<S>;
	/** Deletes a sandbox with everything in it. What its area is still told to keep afterwards is not kept. */
	drop(sandbox: string): Promise<void>;
}

/** Thrown where a kind is full and nothing in it may give way. */
export class StoreFull extends Error {
	override name = 'StoreFull';
}
