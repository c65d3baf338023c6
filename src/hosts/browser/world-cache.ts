import { parseWorld } from './parse-world.ts';
import type { World } from '#service/world/world.ts';
import { readWorldFile, worldFilePath } from './world-file.ts';

/** What is used of the browser's caches. */
export type WorldCaches = Pick<CacheStorage, 'match' | 'delete'> & {
	open(name: string): Promise<Pick<Cache, 'put'>>;
};

/** The world file of this site as the service worker keeps it, for use offline. */
export class WorldCache {
	readonly #caches: WorldCaches;
	readonly #name: string;
	readonly #base: string;
	#text: Promise<string | undefined> | undefined;

	/** @param base path of the app, without a trailing slash */
	constructor(caches: WorldCaches, base: string) {
		this.#caches = caches;
		this.#name = `tollgate-world${base}`;
		this.#base = base;
	}

	/** The file that the service runs with. Undefined: the demo world. */
	text(): Promise<string | undefined> {
		return (this.#text ??= this.#open());
	}

	/** The world that the service runs with. Undefined: the demo world, also where the file has a mistake. */
	async world(): Promise<World | undefined> {
		const text = await this.text();
		return text === undefined ? undefined : parseWorld(text).world;
	}

	/**
	 * Downloads the file again. Without a network the kept one stays.
	 * @returns whether it has changed
	 */
	async refresh(): Promise<boolean> {
		const before = await this.text();
		const now = await readWorldFile(this.#base).catch(() => before);
		if (now === before) return false;
		await this.#keep(now);
		this.#text = Promise.resolve(now);
		return true;
	}

	async delete(): Promise<void> {
		await this.#caches.delete(this.#name);
	}

	async #open(): Promise<string | undefined> {
		const where = { cacheName: this.#name };
		const kept = await this.#caches.match(worldFilePath(this.#base), where).catch(() => undefined); // no storage
		if (kept !== undefined) return (await kept.text()) || undefined;
		// Without a network the demo world is used, and not kept in place of the site's.
		return readWorldFile(this.#base).then(
			async (read) => {
				await this.#keep(read).catch(() => undefined); // no storage
				return read;
			},
			() => undefined
		);
	}

	async #keep(text = ''): Promise<void> {
		const cache = await this.#caches.open(this.#name);
		await cache.put(worldFilePath(this.#base), new Response(text, { headers: { 'Content-Type': 'application/json' } }));
	}
}
