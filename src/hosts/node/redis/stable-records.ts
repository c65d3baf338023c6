import type { CacheLimit } from './cache-limit.ts';

/** What was read, and how long it is as text. */
export type Found = { readonly value: unknown; readonly size: number };

/**
 * The stable records of a sandbox that this process has read. They are as Redis has them while its generation is the same. When it changes,
 * another object takes the place of this one.
 */
export class StableRecords {
	readonly #limit: CacheLimit;
	readonly #found = new Map<string, Found>();
	#isReleased = false;

	/** @param generation that Redis has; empty if it is unknown */
	constructor(
		limit: CacheLimit,
		readonly generation = ''
	) {
		this.#limit = limit;
	}

	/** @param name of a record or a list */
	get(name: string): Found | undefined {
		return this.#found.get(name);
	}

	/** Does nothing once another object is in use: what was requested earlier may arrive late. */
	add(name: string, found: Found): void {
		if (this.#isReleased || this.#found.has(name)) return;
		this.#found.set(name, found);
		this.#limit.hold(found, found.size, () => this.#found.delete(name));
	}

	/** Forgets all. */
	release(): void {
		this.#isReleased = true;
		for (const found of this.#found.values()) this.#limit.release(found);
		this.#found.clear();
	}
}

/** The name of a record among all of its sandbox. */
export function nameOf(kind: string, id: string): string {
	return `${kind} ${id}`;
}
