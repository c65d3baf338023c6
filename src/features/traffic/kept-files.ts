import { createStore, del, entries, get, set, type UseStore } from 'idb-keyval';
import type { HarContent } from '#evidence/har/har-reading.ts';

/** A file that this browser keeps: what was read from it, without its secrets. */
export type KeptFile = {
	readonly id: string;
	/** The name of the file. */
	readonly name: string;
	/** When it was kept, in Unix milliseconds. */
	readonly at: number;
	readonly content: HarContent;
};

/** A kept file in a list. */
export type KeptName = Pick<KeptFile, 'id' | 'name' | 'at'> & { readonly exchanges: number };

/** The most files that a browser keeps. */
const maxKept = 20;

/** The files that this browser keeps, in IndexedDB. No server gets them. */
export class KeptFiles {
	readonly #store: UseStore;

	/** @param base path that the app is served from, without a trailing slash */
	constructor(base: string) {
		// The number is the version of `KeptFile`.
		this.#store = createStore(`tollgate-traffic-files-1${base}`, 'files');
	}

	/** The files, newest first. Empty where storage is blocked. */
	async names(): Promise<KeptName[]> {
		const found = await entries<string, KeptFile>(this.#store).catch(() => []);
		return found
			.map(([, { id, name, at, content }]) => ({ id, name, at, exchanges: content.exchanges.length }))
			.sort((one, other) => other.at - one.at);
	}

	/** Undefined if it was deleted, or kept by another browser. */
	async read(id: string): Promise<KeptFile | undefined> {
		return get<KeptFile>(id, this.#store).catch(() => undefined);
	}

	/**
	 * Keeps a file. The oldest one is deleted where there would be more than `maxKept`.
	 * @throws DOMException where storage is blocked or full
	 */
	async keep(file: KeptFile): Promise<void> {
		await set(file.id, file, this.#store);
		for (const { id } of (await this.names()).slice(maxKept)) await this.delete(id);
	}

	async delete(id: string): Promise<void> {
		await del(id, this.#store);
	}
}
