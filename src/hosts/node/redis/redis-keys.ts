export type KindKeys = {
	/** Hash: the id of each record, and `version;born;weight;JSON`. */
	readonly records: string;
	/** Sorted set: the ids of records with an expiry, by it. */
	readonly expiry: string;
	/** Sorted set: the ids of records that may be evicted, by age. Of a kind with owners: those that an earlier version wrote. */
	readonly evictable: string;
	/** Of a kind with owners. Hash: `u` or `p` (protected) and the owner, weight, group of each record that may be evicted, by id. */
	readonly held: string;
	/** Of a kind with owners. Sorted set, by name: `u` or `p` and the owner, age and id of the same records, and `g` and the group, age and id. */
	readonly queue: string;
	/** Of a kind with owners. Sorted set: the owners, by the weight of what they hold. */
	readonly holdings: string;
};

/** The keys of a kind, in the order in which scripts take them. */
export function partsOf({ records, expiry, evictable, held, queue, holdings }: KindKeys): string[] {
	return [records, expiry, evictable, held, queue, holdings];
}

/** How many keys `partsOf` returns. */
export const partsPerKind = 6;

export type TrafficKeys = {
	/** Stream: the entries, by number. */
	readonly entries: string;
	/** List: number, `X-Request-Id`, size, flow and values of each entry. */
	readonly facts: string;
	/** Hash: the number of each entry, by its `X-Request-Id`. */
	readonly ids: string;
	/** Hash: the flow and the labels of each entry whose values have labels, by its number. */
	readonly assigned: string;
	/** Hash: the label and the flow of each value, by its digest. */
	readonly labels: string;
	/** Sorted set: the digests of values, by the number of the entry in which they occurred last. */
	readonly labeled: string;
};

/**
 * The names of all keys of one service. All keys of a sandbox have the same part in braces (hash tag), so that a cluster keeps them in
 * one slot and a script can use them together.
 */
export class RedisKeys {
	/** @param prefix begins each key, so that several services can share a Redis. No braces */
	constructor(readonly prefix: string) {}

	/** The version of the layout of all keys. */
	get version(): string {
		return `${this.prefix}:version`;
	}

	/** The secret that all processes of the service share. */
	get secret(): string {
		return `${this.prefix}:secret`;
	}

	/** Set: the ids of sandboxes that hold records. */
	get sandboxes(): string {
		return `${this.prefix}:sandboxes`;
	}

	/** Hash: counters of a sandbox. */
	head(sandbox: string): string {
		return this.#of(sandbox);
	}

	/** Exists while one process replaces records that it derives from others. */
	lock(sandbox: string): string {
		return this.#of(sandbox, 'lock');
	}

	/** The traffic log. Its stream is also the name of the channel that announces new entries and events. */
	traffic(sandbox: string): TrafficKeys {
		const entries = this.#of(sandbox, 'traffic');
		const of = (part: string) => `${entries}:${part}`;
		return {
			entries,
			facts: of('facts'),
			ids: of('ids'),
			assigned: of('assigned'),
			labels: of('labels'),
			labeled: of('labelled')
		};
	}

	/** @param staged names the staged records of one replacement */
	kind(sandbox: string, kind: string, staged = ''): KindKeys {
		const records = this.#of(sandbox, kind) + (staged === '' ? '' : `:${staged}`);
		const of = (part: string) => `${records}:${part}`;
		return {
			records,
			expiry: of('expiry'),
			evictable: of('evictable'),
			held: of('held'),
			queue: of('queue'),
			holdings: of('holdings')
		};
	}

	#of(sandbox: string, ...parts: readonly string[]): string {
		// An id cannot contain braces then, which would end the hash tag.
		return [`${this.prefix}:{${encodeURIComponent(sandbox)}}`, ...parts].join(':');
	}
}
