import type { Step } from './events.ts';
import type { Watch } from './manners/watch.ts';
import type { Meter } from './resources/ledger.ts';
import type { Flow } from './sign-in/flows.ts';
import type { Settings } from './switches.ts';
import type { Choice } from './tokens/choices.ts';
import type { Session } from './tokens/sessions.ts';

/** The application's credentials as the page's settings hold them. */
export type Credentials = { readonly client_id: string; readonly client_secret: string };

/** Everything that outlives the page. */
export type Kept = {
	readonly sessions: readonly Session[];
	readonly flows: readonly Flow[];
	/** By base URL. */
	readonly credentials: Readonly<Record<string, Credentials>>;
	/** How far the service's clock is from this machine's, in milliseconds, by base URL. */
	readonly offsets: Readonly<Record<string, number>>;
	/** What a tab had done before it left for the service. Holds no secret. */
	readonly steps: readonly { readonly tab: string; readonly service: string; readonly steps: readonly Step[] }[];
	/** By base URL. */
	readonly switches: Readonly<Record<string, Partial<Settings>>>;
	/** Whom each tab acts for, the latest choice last. */
	readonly choices: readonly Choice[];
	/** Who and what is watched, by base URL. */
	readonly watches: Readonly<Record<string, Watch>>;
	/** What the headers of answers told, by base URL. */
	readonly meters: Readonly<Record<string, readonly Meter[]>>;
};

/** Where the client keeps things: IndexedDB in a browser, a file in a command-line client, memory in a test. */
export interface Shelf {
	read<K extends keyof Kept>(key: K): Promise<Kept[K] | undefined>;
	/** Reads and writes in one step, also between tabs. `change` is synchronous. Returns what it returned. */
	update<K extends keyof Kept>(key: K, change: (now: Kept[K] | undefined) => Kept[K]): Promise<Kept[K]>;
}

type Memory = { -readonly [K in keyof Kept]?: Kept[K] };

/** A shelf that is gone with the page: for tests, and for browsers that refuse storage. */
export class MemoryShelf implements Shelf {
	readonly #kept: Memory = {};

	async read<K extends keyof Kept>(key: K): Promise<Kept[K] | undefined> {
		return this.#kept[key];
	}

	async update<K extends keyof Kept>(key: K, change: (now: Kept[K] | undefined) => Kept[K]): Promise<Kept[K]> {
		const next = change(this.#kept[key]);
		const memory: Pick<Memory, K> = this.#kept;
		memory[key] = next;
		return next;
	}
}
