import { StoreFull, type Expiring, type KindRules } from './store.ts';

/** How many old records an insertion looks at, so that a growing collection cleans itself. */
const sweepOnInsert = 2;
/** How many records one purge looks at, so that it never holds up a request for long. */
const sweepOnPurge = 50_000;
/** How many records a newcomer to a full collection looks through for some that may give way. */
const lookedThroughForRoom = 10_000;

/** The records of one kind in one sandbox, in memory, oldest first. */
export class Collection<Entry extends Expiring> {
	readonly #entries = new Map<string, Entry>();
	readonly #rules: KindRules<Entry>;
	readonly #cap: number;
	readonly #now: () => number;
	#weight = 0;
	#sweeper: Iterator<[string, Entry]> | undefined;
	#evictor: Iterator<[string, Entry]> | undefined;

	/**
	 * @param rules how this kind is kept
	 * @param cap the most it may hold, in the units of `rules.weigh`
	 * @param now the clock of this kind, in milliseconds
	 */
	constructor(rules: KindRules<Entry>, cap: number, now: () => number) {
		this.#rules = rules;
		this.#cap = cap;
		this.#now = now;
	}

	/** How many there are, expired ones that nobody has looked at among them. */
	get size(): number {
		return this.#entries.size;
	}

	get(id: string): Entry | undefined {
		const entry = this.#entries.get(id);
		if (entry === undefined || !this.#expired(entry)) return entry;
		this.#remove(id, entry);
		return undefined;
	}

	/** Writes or (undefined) deletes. Throws `StoreFull` where nothing may give way to a new record. */
	set(id: string, next: Entry | undefined): void {
		const before = this.get(id);
		if (next === undefined) {
			if (before !== undefined) this.#remove(id, before);
			return;
		}
		const growth = this.#weigh(next) - (before === undefined ? 0 : this.#weigh(before));
		if (growth > 0) {
			this.#sweep(sweepOnInsert);
			if (this.#weight + growth > this.#cap) this.#makeRoom(growth, id);
		}
		this.#weight += growth;
		this.#entries.set(id, next);
	}

	/**
	 * Takes over records as they are, whatever the clock says of them: it may be about to be set.
	 * @throws StoreFull where they are more than the cap
	 */
	fill(entries: readonly (readonly [string, Entry])[]): void {
		for (const [id, entry] of entries) this.#entries.set(id, entry);
		for (const entry of this.#entries.values()) this.#weight += this.#weigh(entry);
		if (this.#weight > this.#cap) throw full();
	}

	delete(id: string): Entry | undefined {
		const entry = this.get(id);
		if (entry !== undefined) this.#remove(id, entry);
		return entry;
	}

	list(): [string, Entry][] {
		return [...this.#entries].filter(([, entry]) => !this.#expired(entry));
	}

	/** Deletes expired records, a bounded number of them a call. */
	purge(): number {
		return this.#sweep(Math.min(this.#entries.size + 1, sweepOnPurge));
	}

	#sweep(most: number): number {
		let gone = 0;
		for (let looked = 0; looked < most; looked++) {
			this.#sweeper ??= this.#entries.entries();
			const next = this.#sweeper.next();
			if (next.done === true) {
				this.#sweeper = undefined; // and begins again with the oldest
				continue;
			}
			const [id, entry] = next.value;
			if (!this.#expired(entry)) continue;
			this.#remove(id, entry);
			gone++;
		}
		return gone;
	}

	/** Lets old records give way; none of them where all that may would not be enough. */
	#makeRoom(growth: number, newcomer: string): void {
		let excess = this.#weight + growth - this.#cap;
		const most = Math.min(this.#entries.size * 2 + 1, lookedThroughForRoom);
		const leaving = new Map<string, Entry>();
		for (let looked = 0; looked < most && excess > 0; looked++) {
			// It goes on where it was, so that no newcomer looks through those again that must be kept.
			this.#evictor ??= this.#entries.entries();
			const next = this.#evictor.next();
			if (next.done === true) {
				this.#evictor = undefined;
				continue;
			}
			const [id, entry] = next.value;
			const stays = id === newcomer || (this.#rules.keep?.(entry) === true && !this.#expired(entry));
			if (stays || leaving.has(id)) continue;
			excess -= this.#weigh(entry);
			leaving.set(id, entry);
		}
		if (excess > 0) throw full();
		for (const [id, entry] of leaving) this.#remove(id, entry);
	}

	#remove(id: string, entry: Entry): void {
		this.#entries.delete(id);
		this.#weight -= this.#weigh(entry);
	}

	#weigh(entry: Entry): number {
		return this.#rules.weigh?.(entry) ?? 1;
	}

	#expired(entry: Entry): boolean {
		return entry.expires !== undefined && entry.expires <= this.#now();
	}
}

function full(): StoreFull {
	return new StoreFull('This sandbox can hold no more of these.');
}
