/** Calls listeners when something changes. */
export class Emitter<T = void> {
	readonly #listeners = new Set<(value: T) => void>();

	emit(value: T): void {
		for (const listener of this.#listeners) listener(value);
	}

	/** Returns a function that ends the subscription. */
	subscribe(listener: (value: T) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
}
