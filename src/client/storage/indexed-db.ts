import { createStore, get, update, type UseStore } from 'idb-keyval';
import { Emitter } from '../emitter.ts';
import { parseShared, type SharedData } from './schema.ts';
import type { SharedStorage } from './shared-storage.ts';

/** Shared storage in IndexedDB. What is found there may be of another version or damaged, so it is validated. */
export class IndexedDbStorage implements SharedStorage {
	readonly #store: UseStore;
	readonly #channel: BroadcastChannel;
	readonly #changed = new Emitter();

	/** @param name of the database and of the channel that tells other tabs about changes */
	constructor(name: string) {
		this.#store = createStore(name, 'shared');
		this.#channel = new BroadcastChannel(name);
		this.#channel.addEventListener('message', () => this.#changed.emit());
	}

	async get<K extends keyof SharedData>(key: K): Promise<SharedData[K]> {
		return parseShared[key](await get<unknown>(key, this.#store));
	}

	async update<K extends keyof SharedData>(
		key: K,
		change: (current: SharedData[K]) => SharedData[K]
	): Promise<SharedData[K]> {
		let next: SharedData[K] | undefined;
		await update<unknown>(key, (found) => (next = change(parseShared[key](found))), this.#store);
		this.#changed.emit();
		this.#channel.postMessage('changed');
		return next ?? parseShared[key](undefined);
	}

	subscribe(listener: () => void): () => void {
		return this.#changed.subscribe(listener);
	}
}
