/** A cached value, and when it was stored. */
export type CacheEntry<T> = { readonly value: T; readonly at: number };

const capacity = 200;

/** Caches responses, so that repeated lookups send no request (section 8.9). Times are in milliseconds. */
export class ResponseCache<T> {
	readonly #ttl: number;
	readonly #entries = new Map<string, CacheEntry<T>>();

	constructor(ttl: number) {
		this.#ttl = ttl;
	}

	/** An entry that has not expired. */
	get(key: string, now: number): CacheEntry<T> | undefined {
		const entry = this.#entries.get(key);
		return entry !== undefined && Math.abs(now - entry.at) < this.#ttl ? entry : undefined;
	}

	/** Stores a value. Evicts the oldest one if the cache is full. */
	set(key: string, value: T, now: number): void {
		this.#entries.delete(key);
		this.#entries.set(key, { value, at: now });
		const [oldest] = this.#entries.keys();
		if (this.#entries.size > capacity && oldest !== undefined) this.#entries.delete(oldest);
	}

	deleteByPrefix(prefix: string): void {
		for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
	}
}
