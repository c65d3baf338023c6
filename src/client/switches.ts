import type { Bell } from './bell.ts';
import { problemOf } from './problems.ts';
import type { Format } from './resources/answer.ts';
import { keptFor, type Shelf } from './shelf.ts';

/** What a person can switch. */
export type Settings = {
	/** Calls are spread out as the budget shrinks (section 8.9). */
	readonly throttle: boolean;
	/** Answers are kept for a while. */
	readonly cache: boolean;
	/** Watched characters are asked for also while their people are not active. */
	readonly watchAll: boolean;
	/** The encoding that resources are asked for. */
	readonly format: Format;
	/** The encoding that the token endpoint is asked for (section 2.4). */
	readonly tokenFormat: Format;
	/** How the access token travels to a resource (section 5). */
	readonly credential: 'header' | 'query';
};

const standard: Settings = {
	throttle: true,
	cache: true,
	watchAll: false,
	format: 'json',
	tokenFormat: 'json',
	credential: 'header'
};

/** The switches of an application at one service: the same in all tabs, and after a reload. */
export class Switches {
	readonly #service: string;
	readonly #shelf: Shelf;
	readonly #bell: Bell;
	readonly #listeners = new Set<() => void>();
	#now = standard;

	/**
	 * @param service base URL
	 * @param tools where they are kept, and what tells other tabs
	 */
	constructor(service: string, tools: { readonly shelf: Shelf; readonly bell: Bell }) {
		this.#service = service;
		this.#shelf = tools.shelf;
		this.#bell = tools.bell;
		tools.bell.listen(() => void this.load().catch(problemOf));
	}

	/** How they stand. */
	get now(): Settings {
		return this.#now;
	}

	/** Takes up how they were left, here or in another tab. */
	async load(): Promise<void> {
		const kept = (await this.#shelf.read('switches'))?.[this.#service];
		this.#set({ ...standard, ...kept });
	}

	/** Sets some of them: here at once, in other tabs as soon as it is kept. */
	async change(part: Partial<Settings>): Promise<void> {
		this.#set({ ...this.#now, ...part });
		await this.#shelf.update('switches', (all) => {
			return keptFor(all, this.#service, { ...standard, ...all?.[this.#service], ...part });
		});
		this.#bell.ring();
	}

	/** Listens to changes, made here or in another tab. Returns what ends it. */
	listen(changed: () => void): () => void {
		this.#listeners.add(changed);
		return () => this.#listeners.delete(changed);
	}

	#set(next: Settings): void {
		this.#now = next;
		for (const listener of this.#listeners) listener();
	}
}
