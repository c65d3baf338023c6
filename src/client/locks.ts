/** One at a time, by name: the part of the Web Locks API that the client needs. */
export interface Locks {
	/** Waits for its turn, runs `action`, and lets the next one in, whatever came of it. */
	request<T>(name: string, action: () => Promise<T>): Promise<T>;
}

/** Locks of one page or process: for tests, command-line clients, and pages without a secure context. */
export class LocalLocks implements Locks {
	readonly #tails = new Map<string, Promise<unknown>>();

	async request<T>(name: string, action: () => Promise<T>): Promise<T> {
		const before = this.#tails.get(name) ?? Promise.resolve();
		const turn = before.then(action, action);
		this.#tails.set(name, turn);
		try {
			return await turn;
		} finally {
			if (this.#tails.get(name) === turn) this.#tails.delete(name);
		}
	}
}
