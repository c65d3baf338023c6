/** An answer that was kept, and since when. */
export type Cached<T> = { readonly value: T; readonly at: number };

const kept = 200;

/** Answers kept for a while, so that looking at the same thing again costs no call (section 8.9). Memory only. */
export class Cache<T> {
	readonly #lifetime: number;
	readonly #entries = new Map<string, Cached<T>>();

	/** @param lifetime how long an answer is fresh, in milliseconds */
	constructor(lifetime: number) {
		this.#lifetime = lifetime;
	}

	/** A fresh answer, or undefined. */
	get(key: string, now: number): Cached<T> | undefined {
		const entry = this.#entries.get(key);
		return entry !== undefined && Math.abs(now - entry.at) < this.#lifetime ? entry : undefined;
	}

	/** Keeps an answer; the oldest gives way. */
	set(key: string, value: T, now: number): void {
		this.#entries.delete(key);
		this.#entries.set(key, { value, at: now });
		const [oldest] = this.#entries.keys();
		if (this.#entries.size > kept && oldest !== undefined) this.#entries.delete(oldest);
	}

	/** Forgets all answers whose key begins so: those of a person who signed out. */
	drop(prefix: string): void {
		for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
	}
}
