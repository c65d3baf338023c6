import { Emitter } from '../emitter.ts';
import type { SharedData } from './schema.ts';

/** What all tabs of a browser share. */
export interface SharedStorage {
	get<K extends keyof SharedData>(key: K): Promise<SharedData[K]>;
	/** Reads and replaces a value in one atomic step, also between tabs. If `change` throws, nothing changes. */
	update<K extends keyof SharedData>(key: K, change: (current: SharedData[K]) => SharedData[K]): Promise<SharedData[K]>;
	/** Calls the listener after a change in any tab. Returns a function that ends the subscription. */
	subscribe(listener: () => void): () => void;
}

type MutableData = { -readonly [K in keyof SharedData]: SharedData[K] };

/** Storage that is lost with the page: for browsers that block storage, and for tests. */
export class MemoryStorage implements SharedStorage {
	readonly #data: MutableData = { users: [], pending: [], settings: [] };
	readonly #changed = new Emitter();

	async get<K extends keyof SharedData>(key: K): Promise<SharedData[K]> {
		return this.#data[key];
	}

	async update<K extends keyof SharedData>(
		key: K,
		change: (current: SharedData[K]) => SharedData[K]
	): Promise<SharedData[K]> {
		const next = change(this.#data[key]);
		const data: Pick<MutableData, K> = this.#data;
		data[key] = next;
		this.#changed.emit();
		return next;
	}

	subscribe(listener: () => void): () => void {
		return this.#changed.subscribe(listener);
	}
}
