import { createStore, get, update, type UseStore } from 'idb-keyval';
import { Emitter } from '#client/emitter.ts';

/** Where progress and runs are stored. What is found may be of another version. */
export interface LessonStorage {
	get(key: string): Promise<unknown>;
	/** Reads and replaces a value in one atomic step, also between tabs. */
	update(key: string, change: (found: unknown) => unknown): Promise<void>;
	/** Calls the listener after a change in any tab. Returns a function that ends the subscription. */
	subscribe(listener: () => void): () => void;
}

/** Storage that is lost with the page: for browsers that block storage, and for tests. */
export class MemoryLessonStorage implements LessonStorage {
	readonly #values = new Map<string, unknown>();
	readonly #changed = new Emitter();

	async get(key: string): Promise<unknown> {
		return this.#values.get(key);
	}

	async update(key: string, change: (found: unknown) => unknown): Promise<void> {
		this.#values.set(key, change(this.#values.get(key)));
		this.#changed.emit();
	}

	subscribe(listener: () => void): () => void {
		return this.#changed.subscribe(listener);
	}
}

/** Storage of this browser, shared by its tabs. */
class BrowserLessonStorage implements LessonStorage {
	readonly #store: UseStore;
	readonly #channel: BroadcastChannel;
	readonly #changed = new Emitter();

	constructor(name: string) {
		this.#store = createStore(name, 'lessons');
		this.#channel = new BroadcastChannel(name);
		this.#channel.addEventListener('message', () => this.#changed.emit());
	}

	get(key: string): Promise<unknown> {
		return get<unknown>(key, this.#store);
	}

	async update(key: string, change: (found: unknown) => unknown): Promise<void> {
		await update<unknown>(key, change, this.#store);
		this.#changed.emit();
		this.#channel.postMessage('changed');
	}

	subscribe(listener: () => void): () => void {
		return this.#changed.subscribe(listener);
	}
}

/**
 * The storage of this browser; in memory where the browser blocks storage.
 * @param path that the app is served from, without a trailing slash
 */
export async function openLessonStorage(path: string): Promise<{ storage: LessonStorage; isPersistent: boolean }> {
	try {
		const storage = new BrowserLessonStorage(`tollgate-lessons${path}`);
		await storage.get('progress');
		return { storage, isPersistent: true };
	} catch {
		return { storage: new MemoryLessonStorage(), isPersistent: false };
	}
}
