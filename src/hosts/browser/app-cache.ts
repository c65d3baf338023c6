import * as v from 'valibot';
import { isKeptAfterUse, offlineFiles, offlineFilesPath } from './offline-files.ts';

/** What is used of the browser's caches. */
export type AppCaches = {
	open(name: string): Promise<AppFiles>;
	match(path: string, options: { readonly cacheName: string }): Promise<Response | undefined>;
	keys(): Promise<readonly string[]>;
	delete(name: string): Promise<boolean>;
};

type AppFiles = {
	put(path: string, response: Response): Promise<void>;
	keys(): Promise<readonly { readonly url: string }[]>;
};

/** How many files are downloaded at a time. */
const parallel = 6;

/** The paths of the scripts and styles that a document names. */
const fileNames = /["'](\/[^"'?#]*\/immutable\/[^"'?#]+)["']/g;

/**
 * The app's files in the worker's cache, so that the app works offline. The document is kept after all files that it needs: a cache
 * that has the document is complete.
 */
export class AppCache {
	readonly #caches: AppCaches;
	readonly #prefix: string;
	readonly #name: string;
	readonly #base: string;
	readonly #version: string;
	readonly #document: string;
	#filling: Promise<void> | undefined;

	/**
	 * @param base path of the app, without a trailing slash
	 * @param version of the app: each version has its own cache
	 */
	constructor(caches: AppCaches, base: string, version: string) {
		this.#caches = caches;
		this.#prefix = `tollgate${base} `;
		this.#name = this.#prefix + version;
		this.#base = base;
		this.#version = version;
		this.#document = `${base}/`;
	}

	/** The document that starts the app at any of its URLs. Undefined unless all files that it needs are kept. */
	document(): Promise<Response | undefined> {
		return this.#kept(this.#document);
	}

	/** Whether the version that is active while this one is installed has all its files. Both can be of the same version. */
	async isActiveComplete(): Promise<boolean> {
		for (const name of await this.#names()) {
			if ((await this.#caches.match(this.#document, { cacheName: name })) === undefined) continue;
			const files = await (await this.#caches.open(name)).keys();
			if (files.length > 1) return true; // Tollgate 0.1 kept the document first
		}
		return false;
	}

	/**
	 * Downloads all files that are missing. Where the network is cut, what was downloaded so far is kept.
	 * @throws DOMException `QuotaExceededError` where the storage is full
	 * @throws Error where a file cannot be downloaded, or the server has another version
	 */
	fill(): Promise<void> {
		return (this.#filling ??= this.#fill().finally(() => (this.#filling = undefined)));
	}

	/** Deletes the caches of other versions. */
	async deleteOld(): Promise<void> {
		await this.#delete((name) => name !== this.#name);
	}

	async deleteAll(): Promise<void> {
		await this.#delete(() => true);
	}

	/**
	 * A file from the cache, or from the network if it is not there yet or the browser deleted it.
	 * @param path of the request, without its query
	 */
	async respond(path: string, request: Request): Promise<Response> {
		const kept = await this.#kept(path);
		if (kept !== undefined) return kept;
		const response = await fetch(request);
		if (isKeptAfterUse(path) && isFile(path, response)) {
			const cache = await this.#caches.open(this.#name);
			await cache.put(path, response.clone()).catch(() => undefined); // also where the storage is full
		}
		return response;
	}

	async #fill(): Promise<void> {
		if ((await this.#kept(this.#document)) !== undefined) return;
		const paths = await this.#list();
		const response = await fetch(this.#document, { cache: 'no-cache' });
		const text = await response.text();
		if (!response.ok || !isOf(new Set(paths), text)) throw anotherVersion();
		const cache = await this.#caches.open(this.#name);
		const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
		await downloadAll(
			paths.filter((path) => !kept.has(path)),
			cache
		);
		// A response that was redirected cannot open a page.
		await cache.put(this.#document, new Response(text, { headers: response.headers }));
	}

	/** The paths of this version's files, with the base. */
	async #list(): Promise<readonly string[]> {
		const response = await fetch(this.#base + offlineFilesPath, { cache: 'no-cache' });
		const { success, output } = v.safeParse(offlineFiles, await response.json().catch(() => undefined));
		if (!success || output.version !== this.#version) throw anotherVersion();
		return output.paths.map((path) => this.#base + path);
	}

	/** Opening the cache would create it again after it was deleted. */
	#kept(path: string): Promise<Response | undefined> {
		return this.#caches.match(path, { cacheName: this.#name }).catch(() => undefined); // no storage
	}

	async #names(): Promise<readonly string[]> {
		return (await this.#caches.keys()).filter((name) => name.startsWith(this.#prefix));
	}

	async #delete(matches: (name: string) => boolean): Promise<void> {
		await Promise.all((await this.#names()).filter(matches).map((name) => this.#caches.delete(name)));
	}
}

/** Whether a document is of the version with these files: it names files, and all of them are among these. */
function isOf(files: ReadonlySet<string>, text: string): boolean {
	const names = [...text.matchAll(fileNames)].map(([, name = '']) => name);
	return names.length > 0 && names.every((name) => files.has(name));
}

function anotherVersion(): Error {
	return new Error('The server has another version.');
}

/** Downloads files until one fails. */
async function downloadAll(paths: readonly string[], cache: AppFiles): Promise<void> {
	// What throws in a loop over a generator ends the generator, and so the other loops.
	const queue = (function* () {
		yield* paths;
	})();
	const work = async () => {
		for (const path of queue) await download(path, cache);
	};
	await Promise.all(Array.from({ length: parallel }, work));
}

async function download(path: string, cache: AppFiles): Promise<void> {
	const response = await fetch(path);
	if (!isFile(path, response)) throw new Error(`The server does not have ${path}.`);
	await cache.put(path, response);
}

/** Whether a response is a file of the app. Some hosts send a page with status 200 for a file that is missing. */
function isFile(path: string, response: Response): boolean {
	const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
	return response.ok && isPage === path.endsWith('.html');
}
