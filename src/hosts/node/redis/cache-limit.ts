/** How much JSON one store remembers of all sandboxes, in characters. As objects it takes about five times as much memory. */
const maxCharacters = 8 * 1024 * 1024;

type Held = { readonly size: number; readonly forget: () => void };

/** Bounds the records that one store remembers. Those that were remembered first are forgotten first. */
export class CacheLimit {
	readonly #max: number;
	/** Oldest first. */
	readonly #held = new Map<object, Held>();
	#total = 0;

	/** @param max in characters */
	constructor(max = maxCharacters) {
		this.#max = max;
	}

	/**
	 * Counts an object that is remembered.
	 * @param size in characters
	 * @param forget is called when the limit is exceeded, possibly at once
	 */
	hold(object: object, size: number, forget: () => void): void {
		this.#held.set(object, { size, forget });
		this.#total += size;
		for (const [oldest, held] of this.#held) {
			if (this.#total <= this.#max) break;
			this.release(oldest);
			held.forget();
		}
	}

	/** Stops counting an object. */
	release(object: object): void {
		this.#total -= this.#held.get(object)?.size ?? 0;
		this.#held.delete(object);
	}
}
