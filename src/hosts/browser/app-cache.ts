/** What is used of the browser's caches. */
export type AppCaches = {
	open(name: string): Promise<AppFiles>;
	match(path: string, options: { readonly cacheName: string }): Promise<Response | undefined>;
	keys(): Promise<readonly string[]>;
	delete(name: string): Promise<boolean>;
};

type AppFiles = {
	add(path: string): Promise<void>;
	addAll(paths: string[]): Promise<void>;
	put(path: string, response: Response): Promise<void>;
	keys(): Promise<readonly { readonly url: string }[]>;
};

/** The app's files in the worker's cache, so that the app works offline. */
export class AppCache {
	readonly #caches: AppCaches;
	readonly #prefix: string;
	readonly #name: string;
	readonly #base: string;
	readonly #paths: ReadonlySet<string>;
	readonly #onDemand: ReadonlySet<string>;

	/**
	 * @param base path of the app, without a trailing slash
	 * @param version of the app: each version has its own cache
	 * @param paths of the files, with the base
	 * @param onDemand paths of files that are kept after their first use
	 */
	constructor(caches: AppCaches, base: string, version: string, paths: readonly string[], onDemand: readonly string[]) {
		this.#caches = caches;
		this.#prefix = `tollgate${base} `;
		this.#name = this.#prefix + version;
		this.#base = base;
		this.#paths = new Set([`${base}/`, ...paths]);
		this.#onDemand = new Set(onDemand);
	}

	has(path: string): boolean {
		return this.#paths.has(path) || this.#onDemand.has(path);
	}

	/** Downloads the page that starts the app. */
	async addPage(): Promise<void> {
		const cache = await this.#caches.open(this.#name);
		await cache.add(`${this.#base}/`);
	}

	/** Downloads all files that are missing. */
	async fill(): Promise<void> {
		const cache = await this.#caches.open(this.#name);
		const known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
		await cache.addAll([...this.#paths].filter((path) => !known.has(path)));
	}

	/** Deletes the caches of other versions. */
	async deleteOld(): Promise<void> {
		await this.#delete((name) => name !== this.#name);
	}

	async deleteAll(): Promise<void> {
		await this.#delete(() => true);
	}

	/** A file from the cache, or from the network if it is not there yet or the browser deleted it. */
	async respond(path: string): Promise<Response> {
		// Opening the cache would create it again after it was deleted.
		const kept = await this.#caches.match(path, { cacheName: this.#name });
		if (kept !== undefined) return kept;
		const response = await fetch(path);
		if (this.#onDemand.has(path) && response.ok) {
			const cache = await this.#caches.open(this.#name);
			await cache.put(path, response.clone()).catch(() => undefined); // also where the storage is full
		}
		return response;
	}

	/** The page that starts the app at any of its URLs. */
	page(): Promise<Response> {
		return this.respond(`${this.#base}/`);
	}

	async #delete(matches: (name: string) => boolean): Promise<void> {
		const names = (await this.#caches.keys()).filter((name) => name.startsWith(this.#prefix) && matches(name));
		await Promise.all(names.map((name) => this.#caches.delete(name)));
	}
}
