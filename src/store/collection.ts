import { StoreFull, type Expiring, type CollectionOptions } from './store.ts';

/** How many old records an insertion looks at, so that a growing collection cleans itself. */
const expiryScanOnInsert = 2;
/** How many records one purge looks at, so that it never holds up a request for long. */
const expiryScanOnPurge = 50_000;
/** How many records a newcomer to a full collection looks through for some that may give way. */
const maxEvictionScan = 10_000;

/** The records of one kind in one sandbox, in memory, oldest first. */
export class Collection<Entry extends Expiring> {
	readonly #entries = new Map<string, Entry>();
	readonly #options: CollectionOptions<Entry>;
	readonly #capacity: number;
	readonly #now: () => number;
	#size = 0;
	#expiryCursor: Iterator<[string, Entry]> | undefined;
	#evictionCursor: Iterator<[string, Entry]> | undefined;

	/**
	 * @param rules how this kind is kept
	 * @param cap the most it may hold, in the units of `rules.weigh`
	 * @param now the clock of this kind, in milliseconds
	 */
	constructor(rules: CollectionOptions<Entry>, cap: number, now: () => number) {
		this.#options = rules;
		this.#capacity = cap;
		this.#now = now;
	}

	/** How many there are, expired ones that nobody has looked at among them. */
	get size(): number {
		return this.#entries.size;
	}

	get(id: string): Entry | undefined {
		const entry = this.#entries.get(id);
		if (entry === undefined || !this.#isExpired(entry)) return entry;
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
		const growth = this.#sizeOf(next) - (before === undefined ? 0 : this.#sizeOf(before));
		if (growth > 0) {
			this.#expireSome(expiryScanOnInsert);
			if (this.#size + growth > this.#capacity) this.#evict(growth, id);
		}
		this.#size += growth;
		this.#entries.set(id, next);
	}

	/**
	 * Takes over records as they are, whatever the clock says of them: it may be about to be set.
	 * @throws StoreFull where they are more than the cap
	 */
	load(entries: readonly (readonly [string, Entry])[]): void {
		for (const [id, entry] of entries) this.#entries.set(id, entry);
		for (const entry of this.#entries.values()) this.#size += this.#sizeOf(entry);
		if (this.#size > this.#capacity) throw full();
	}

	delete(id: string): Entry | undefined {
		const entry = this.get(id);
		if (entry !== undefined) this.#remove(id, entry);
		return entry;
	}

	list(): [string, Entry][] {
		return [...this.#entries].filter(([, entry]) => !this.#isExpired(entry));
	}

	/** Deletes expired records, a bounded number of them a call. */
	purge(): number {
		return this.#expireSome(Math.min(this.#entries.size + 1, expiryScanOnPurge));
	}

	#expireSome(most: number): number {
		let gone = 0;
		for (let looked = 0; looked < most; looked++) {
			this.#expiryCursor ??= this.#entries.entries();
			const next = this.#expiryCursor.next();
			if (next.done === true) {
				this.#expiryCursor = undefined; // and begins again with the oldest
				continue;
			}
			const [id, entry] = next.value;
			if (!this.#isExpired(entry)) continue;
			this.#remove(id, entry);
			gone++;
		}
		return gone;
	}

	/** Lets old records give way; none of them where all that may would not be enough. */
	#evict(growth: number, newcomer: string): void {
		let excess = this.#size + growth - this.#capacity;
		const most = Math.min(this.#entries.size * 2 + 1, maxEvictionScan);
		const leaving = new Map<string, Entry>();
		for (let looked = 0; looked < most && excess > 0; looked++) {
			// It goes on where it was, so that no newcomer looks through those again that must be kept.
			this.#evictionCursor ??= this.#entries.entries();
			const next = this.#evictionCursor.next();
			if (next.done === true) {
				this.#evictionCursor = undefined;
				continue;
			}
			const [id, entry] = next.value;
			const stays = id === newcomer || (this.#options.isProtected?.(entry) === true && !this.#isExpired(entry));
			if (stays || leaving.has(id)) continue;
			excess -= this.#sizeOf(entry);
			leaving.set(id, entry);
		}
		if (excess > 0) throw full();
		for (const [id, entry] of leaving) this.#remove(id, entry);
	}

	#remove(id: string, entry: Entry): void {
		this.#entries.delete(id);
		this.#size -= this.#sizeOf(entry);
	}

	#sizeOf(entry: Entry): number {
		return this.#options.sizeOf?.(entry) ?? 1;
	}

	#isExpired(entry: Entry): boolean {
		return entry.expires !== undefined && entry.expires <= this.#now();
	}
}

function full(): StoreFull {
	return new StoreFull('This sandbox can hold no more of these.');
}
