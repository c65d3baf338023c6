import { get, update, type UseStore } from 'idb-keyval';
import { keptOf } from '../kept.ts';
import type { Kept, Shelf } from '../shelf.ts';

/**
 * A shelf in IndexedDB: it outlives the page, and all tabs of the browser share it. What is found there may be older than
 * this client, or damaged: see `keptOf`.
 */
export class IndexedShelf implements Shelf {
	readonly #store: UseStore;

	/** @param store of one application */
	constructor(store: UseStore) {
		this.#store = store;
	}

	async read<K extends keyof Kept>(key: K): Promise<Kept[K] | undefined> {
		return keptOf(key, await get<unknown>(key, this.#store));
	}

	async update<K extends keyof Kept>(key: K, change: (now: Kept[K] | undefined) => Kept[K]): Promise<Kept[K]> {
		const written: Kept[K][] = [];
		const write = (found: unknown) => {
			const next = change(keptOf(key, found));
			written.push(next);
			return next;
		};
		// One transaction: another tab sees all of it or nothing.
		await update<unknown>(key, write, this.#store);
		const next = written.at(-1);
		if (next === undefined) throw new Error(`nothing was written to ${key}`);
		return next;
	}
}
