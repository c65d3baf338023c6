import { ByteBudget, bytesOf, memoryFull } from './byte-budget.ts';
import { copyString, copyStrings } from './copy-strings.ts';
import { groupOf, isProtected, noOwner, ownerOf, weightOf } from './collection-limits.ts';
import { Holdings } from './holdings.ts';
import type { CollectionOptions, Expiring, NumberField } from './store.ts';
import { StoreFull } from './errors.ts';

/** How many old records an insertion checks for expiry, so that a growing collection cleans itself. */
const expiryScanOnInsert = 2;
/** How many records one purge checks, so that it never blocks requests for long. */
const expiryScanOnPurge = 50_000;
/** How many records an insertion checks for expiry if nothing else can be evicted. */
const expiryScanWhenFull = 10_000;

/** What a collection tells its store. */
export type CollectionHooks<Entry> = {
	/** Called for each record that is written, or (undefined) deleted, evicted or expired. */
	readonly onChange?: (id: string, entry: Entry | undefined) => void;
	/** Called before a record takes bytes of a budget that is used up: releases some, but not those of this record. */
	readonly makeRoom?: (bytes: number, id: string) => void;
	/** The most bytes that `makeRoom` can release. */
	readonly releasable?: () => number;
};

/** The records of one kind in one sandbox, in memory, oldest first. */
export class Collection<Entry extends Expiring> {
	readonly #entries = new Map<string, Entry>();
	readonly #options: CollectionOptions<Entry>;
	readonly #max: number;
	readonly #now: () => number;
	readonly #budget: ByteBudget;
	readonly #hooks: CollectionHooks<Entry>;
	/** What can be evicted. */
	readonly #evictable = new Holdings();
	readonly #groups = new Holdings();
	#size = 0;
	#bytes = 0;
	#expiryCursor: Iterator<[string, Entry]> | undefined;

	/**
	 * @param options how this kind is stored
	 * @param max the most it holds
	 * @param now the clock of this kind, in milliseconds
	 * @param budget that each record counts against
	 */
	constructor(
		options: CollectionOptions<Entry>,
		max: number,
		now: () => number,
		budget = new ByteBudget(Infinity),
		hooks: CollectionHooks<Entry> = {}
	) {
		this.#options = options;
		this.#max = max;
		this.#now = now;
		this.#budget = budget;
		this.#hooks = hooks;
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
	 * Writes what `change` returns for a record, or deletes it if that is undefined. Returns it.
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
		}
		const bytes = bytesOf(id, next) - (before === undefined ? 0 : bytesOf(id, before));
		if (bytes > 0) this.#checkBytes(bytes, growth, id);
		if (growth > 0) {
			if (before === undefined) this.#limitGroup(next);
			if (this.#size + growth > this.#max) this.#makePlace(growth, id, ownerOf(this.#options, next));
		}
		if (bytes > 0) this.#hooks.makeRoom?.(bytes, id);
		this.#budget.add(bytes);
		this.#bytes += bytes;
		this.#size += growth;
		const record = copyStrings(next, before);
		const key = before === undefined ? copyString(id) : id;
		this.#entries.set(key, record);
		if (before === undefined) this.#hold(key, record);
		else this.#holdAgain(key, before, record);
		this.#hooks.onChange?.(id, record);
		return next;
	}

	/**
	 * Adds records unchanged, reports no change, and leaves the budget to the caller. Expired ones are kept: the caller may be about to set the clock.
	 * @throws StoreFull if they exceed the limit
	 */
	load(entries: readonly (readonly [string, Entry])[]): void {
		for (const [id, entry] of entries) this.#entries.set(id, entry);
		for (const [id, entry] of this.#entries) {
			this.#size += this.#sizeOf(entry);
			this.#bytes += bytesOf(id, entry);
			this.#hold(id, entry);
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

	/** Roughly the memory that `evictOldest` can release, in bytes. */
	get releasable(): number {
		return this.#options.owner === undefined ? 0 : this.#bytes;
	}

	/**
	 * Evicts the oldest record of the owner that holds the most.
	 * @param except stays
	 * @returns whether there was one
	 */
	evictOldest(except: string): boolean {
		return this.#evict(this.#evictable.victim(undefined, except));
	}

	/** Throws `StoreFull` before anything is evicted if the budget cannot hold a record, whatever is evicted for it. */
	#checkBytes(bytes: number, growth: number, id: string): void {
		const lacking = this.#budget.lacking(bytes);
		if (lacking === 0) return;
		let releasable = this.#hooks.releasable?.() ?? 0;
		let excess = this.#size + growth - this.#max;
		// The oldest records of a kind without owners. Those of a kind with owners are releasable already.
		for (const old of this.#options.owner === undefined ? this.#evictable.unprotected(noOwner) : []) {
			const entry = old === id ? undefined : this.#entries.get(old);
			if (excess <= 0) break;
			if (entry === undefined) continue;
			excess -= this.#sizeOf(entry);
			releasable += bytesOf(old, entry);
		}
		if (lacking > releasable) throw memoryFull();
	}

	#limitGroup(next: Entry): void {
		const { maxPerGroup } = this.#options;
		const group = groupOf(this.#options, next);
		if (maxPerGroup === undefined || group === undefined) return;
		while (this.#groups.weightOf(group) >= maxPerGroup.max) {
			if (!this.#evict(this.#groups.oldest(group))) return;
		}
	}

	/** Evicts records for one that grows, or none if all that can be evicted are not enough. */
	#makePlace(growth: number, id: string, owner: string): void {
		const excess = () => this.#size + growth - this.#max;
		const known = this.#entries.get(id);
		const own = known === undefined || !this.#isHeld(known) ? 0 : this.#sizeOf(known);
		if (this.#evictable.weight - own < excess()) this.#expireSome(expiryScanWhenFull);
		if (this.#evictable.weight - own < excess()) throw full();
		while (excess() > 0) if (!this.#evict(this.#evictable.victim(owner, id))) throw full();
	}

	#evict(id: string | undefined): boolean {
		const entry = id === undefined ? undefined : this.#entries.get(id);
		if (id === undefined || entry === undefined) return false;
		this.#remove(id, entry);
		return true;
	}

	/** Whether a record can be evicted: also a protected one, for an owner that holds less. */
	#isHeld(entry: Entry): boolean {
		return !isProtected(this.#options, entry) || ownerOf(this.#options, entry) !== noOwner;
	}

	#hold(id: string, entry: Entry): void {
		const owner = ownerOf(this.#options, entry);
		if (this.#isHeld(entry)) this.#evictable.add(owner, id, this.#sizeOf(entry), isProtected(this.#options, entry));
		const group = groupOf(this.#options, entry);
		if (group !== undefined) this.#groups.add(group, id, 1);
	}

	#release(id: string, entry: Entry): void {
		if (this.#isHeld(entry)) this.#evictable.remove(ownerOf(this.#options, entry), id, this.#sizeOf(entry));
		const group = groupOf(this.#options, entry);
		if (group !== undefined) this.#groups.remove(group, id, 1);
	}

	/** A record keeps its age, unless it is from now on held by another owner, protected, or no longer protected. */
	#holdAgain(id: string, before: Entry, next: Entry): void {
		const options = this.#options;
		const owner = ownerOf(options, next);
		const isSame =
			isProtected(options, before) === isProtected(options, next) &&
			ownerOf(options, before) === owner &&
			groupOf(options, before) === groupOf(options, next);
		if (!isSame) {
			this.#release(id, before);
			this.#hold(id, next);
		} else if (options.weightField !== undefined && this.#isHeld(next))
			this.#evictable.resize(owner, this.#sizeOf(next) - this.#sizeOf(before));
	}

	#remove(id: string, entry: Entry): void {
		this.#entries.delete(id);
		this.#release(id, entry);
		this.#size -= this.#sizeOf(entry);
		const bytes = bytesOf(id, entry);
		this.#bytes -= bytes;
		this.#budget.add(-bytes);
		this.#hooks.onChange?.(id, undefined);
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
