import { ByteBudget, bytesOf } from './byte-budget.ts';
import { copyString, copyStrings } from './copy-strings.ts';
import { isProtected, weightOf } from './collection-limits.ts';
import { StoreFull } from './store-full.ts';
import type { CollectionOptions, Expiring, NumberField } from './store.ts';

/** How many old records an insertion checks for expiry, so that a growing collection cleans itself. */
const expiryScanOnInsert = 2;
/** How many records one purge checks, so that it never blocks requests for long. */
const expiryScanOnPurge = 50_000;
/** How many records an insertion into a full collection checks for unprotected ones. */
const maxEvictionScan = 10_000;

/** The records of one kind in one sandbox, in memory, oldest first. */
export class Collection<Entry extends Expiring> {
	readonly #entries = new Map<string, Entry>();
	readonly #options: CollectionOptions<Entry>;
	readonly #max: number;
	readonly #now: () => number;
	readonly #budget: ByteBudget;
	readonly #onChange: ((id: string, entry: Entry | undefined) => void) | undefined;
	#size = 0;
	#bytes = 0;
	#expiryCursor: Iterator<[string, Entry]> | undefined;
	#evictionCursor: Iterator<[string, Entry]> | undefined;

	/**
	 * @param options how this kind is stored
	 * @param max the most it holds
	 * @param now the clock of this kind, in milliseconds
	 * @param budget that each record counts against
	 * @param onChange called for each record that is written, or (undefined) deleted, evicted or expired
	 */
	constructor(
		options: CollectionOptions<Entry>,
		max: number,
		now: () => number,
		budget = new ByteBudget(Infinity),
		onChange?: (id: string, entry: Entry | undefined) => void
	) {
		this.#options = options;
		this.#max = max;
		this.#now = now;
		this.#budget = budget;
		this.#onChange = onChange;
	}

	/** All records, oldest first, including expired ones. */
	entries(): IterableIterator<[string, Entry]> {
		return this.#entries.entries();
	}

	/** The number of records, including expired ones that are not yet deleted. */
	get size(): number {
		return this.#entries.size;
	}

	/** Roughly the memory that the records take, in bytes. */
	get bytes(): number {
		return this.#bytes;
	}

	get(id: string): Entry | undefined {
		const entry = this.#entries.get(id);
		if (entry === undefined || !this.#isExpired(entry)) return entry;
		this.#remove(id, entry);
		return undefined;
	}

	/**
	 * Writes what `change` makes of a record, or deletes it if that is undefined. Returns it.
	 * @throws StoreFull if nothing can be evicted for it, or its bytes exceed the budget
	 */
	update(id: string, change: (now: Entry | undefined) => Entry | undefined): Entry | undefined {
		const before = this.get(id);
		const next = change(before);
		if (next === before) return next;
		if (next === undefined) {
			if (before !== undefined) this.#remove(id, before);
			return undefined;
		}
		const growth = this.#sizeOf(next) - (before === undefined ? 0 : this.#sizeOf(before));
		if (growth > 0) {
			this.#expireSome(expiryScanOnInsert);
			if (this.#size + growth > this.#max) this.#evict(growth, id);
		}
		const bytes = bytesOf(id, next) - (before === undefined ? 0 : bytesOf(id, before));
		this.#budget.add(bytes);
		this.#bytes += bytes;
		this.#size += growth;
		const record = copyStrings(next);
		this.#entries.set(before === undefined ? copyString(id) : id, record);
		this.#onChange?.(id, record);
		return next;
	}

	/**
	 * Adds records as they are, reports no change, and leaves the budget to the caller. Expired ones are kept: the caller may be about to set the clock.
	 * @throws StoreFull if they exceed the limit
	 */
	load(entries: readonly (readonly [string, Entry])[]): void {
		for (const [id, entry] of entries) this.#entries.set(id, entry);
		for (const [id, entry] of this.#entries) {
			this.#size += this.#sizeOf(entry);
			this.#bytes += bytesOf(id, entry);
		}
		if (this.#size > this.#max) throw full();
	}

	delete(id: string): Entry | undefined {
		const entry = this.get(id);
		if (entry !== undefined) this.#remove(id, entry);
		return entry;
	}

	list(): [string, Entry][] {
		return [...this.#entries].filter(([, entry]) => !this.#isExpired(entry));
	}

	/** The live records in which a field has the lowest values above a bound, lowest first, and how many there are above it. */
	lowest(field: NumberField<Entry>, above: number, most: number): { records: [string, Entry][]; total: number } {
		const found: [value: number, record: [string, Entry]][] = [];
		let worst = Infinity;
		let total = 0;
		const keepLowest = () => {
			found.sort(([one], [other]) => one - other).splice(most);
			if (found.length === most) worst = found.at(-1)?.[0] ?? worst;
		};
		for (const [id, entry] of this.#entries) {
			const value: unknown = entry[field];
			if (typeof value !== 'number' || value <= above || this.#isExpired(entry)) continue;
			total++;
			if (value >= worst) continue;
			found.push([value, [id, entry]]);
			if (found.length >= most * 2) keepLowest();
		}
		keepLowest();
		return { records: found.map(([, record]) => record), total };
	}

	/** Deletes expired records, a limited number per call. */
	purge(): number {
		return this.#expireSome(Math.min(this.#entries.size + 1, expiryScanOnPurge));
	}

	#expireSome(most: number): number {
		let gone = 0;
		for (let looked = 0; looked < most; looked++) {
			this.#expiryCursor ??= this.#entries.entries();
			const next = this.#expiryCursor.next();
			if (next.done === true) {
				this.#expiryCursor = undefined;
				continue;
			}
			const [id, entry] = next.value;
			if (!this.#isExpired(entry)) continue;
			this.#remove(id, entry);
			gone++;
		}
		return gone;
	}

	/** Evicts old records, or none if all unprotected ones together are not enough. */
	#evict(growth: number, newId: string): void {
		let excess = this.#size + growth - this.#max;
		const most = Math.min(this.#entries.size * 2 + 1, maxEvictionScan);
		const evicted = new Map<string, Entry>();
		for (let looked = 0; looked < most && excess > 0; looked++) {
			// The cursor is kept between calls, so that protected records are not checked again for each insertion.
			this.#evictionCursor ??= this.#entries.entries();
			const next = this.#evictionCursor.next();
			if (next.done === true) {
				this.#evictionCursor = undefined;
				continue;
			}
			const [id, entry] = next.value;
			const stays = id === newId || (isProtected(this.#options, entry) && !this.#isExpired(entry));
			if (stays || evicted.has(id)) continue;
			excess -= this.#sizeOf(entry);
			evicted.set(id, entry);
		}
		if (excess > 0) throw full();
		for (const [id, entry] of evicted) this.#remove(id, entry);
	}

	#remove(id: string, entry: Entry): void {
		this.#entries.delete(id);
		this.#size -= this.#sizeOf(entry);
		const bytes = bytesOf(id, entry);
		this.#bytes -= bytes;
		this.#budget.add(-bytes);
		this.#onChange?.(id, undefined);
	}

	#sizeOf(entry: Entry): number {
		return weightOf(this.#options, entry);
	}

	#isExpired(entry: Entry): boolean {
		return entry.expires !== undefined && entry.expires <= this.#now();
	}
}

function full(): StoreFull {
	return new StoreFull(
		'The sandbox holds the maximum number of records of this kind. Delete one that you no longer need.'
	);
}
