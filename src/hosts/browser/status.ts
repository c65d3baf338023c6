/** How the service fares in this browser. */
export type Status = {
	/** Who answers the page's requests: MSW's worker, or the page itself where there is no worker. */
	readonly worker: 'starting' | 'on' | 'off';
	/** Where the records are: in IndexedDB, or in memory, and gone with the page. */
	readonly storage: 'opening' | 'kept' | 'memory';
	/** Why something is not as it should be, in a sentence each. */
	readonly problems: readonly string[];
	/** True when a newer version of the application waits to take over. */
	readonly update: boolean;
	/** True when a newer version has taken over already: this page must be loaded anew. */
	readonly outdated: boolean;
};

/** A status that somebody watches. */
export class StatusBoard {
	#now: Status = { worker: 'starting', storage: 'opening', problems: [], update: false, outdated: false };
	readonly #watchers = new Set<(status: Status) => void>();

	get now(): Status {
		return this.#now;
	}

	set(change: Partial<Omit<Status, 'problems'>>, problem?: string): void {
		const problems = problem === undefined ? this.#now.problems : [...this.#now.problems, problem];
		this.#now = { ...this.#now, ...change, problems };
		for (const watcher of this.#watchers) watcher(this.#now);
	}

	/** Calls `watcher` now and at each change, until the returned function is called. */
	watch(watcher: (status: Status) => void): () => void {
		this.#watchers.add(watcher);
		watcher(this.#now);
		return () => this.#watchers.delete(watcher);
	}
}
