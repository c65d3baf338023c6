import type { DeskOfTab } from './desk.ts';
import type { Standing } from './manners/breaker.ts';
import type { Watch } from './manners/watch.ts';
import type { Meter } from './resources/ledger.ts';
import type { Flow } from './sign-in/flows.ts';
import type { Settings } from './switches.ts';
import type { Choice } from './tokens/choices.ts';
import type { Session } from './tokens/sessions.ts';

/** The application's credentials as the page's settings hold them. */
export type Credentials = { readonly client_id: string; readonly client_secret: string };

/** A silence of a service: what `/ratelimiting` said of it; null: nothing. */
export type Silence = { readonly standing: Standing | null };

/** Everything that outlives the page. */
export type Kept = {
	readonly sessions: readonly Session[];
	readonly flows: readonly Flow[];
	/** By base URL. */
	readonly credentials: Readonly<Record<string, Credentials>>;
	/** How far the service's clock is from this machine's, in milliseconds, by base URL. */
	readonly offsets: Readonly<Record<string, number>>;
	/** By base URL. */
	readonly switches: Readonly<Record<string, Partial<Settings>>>;
	/** Whom each tab acts for, the latest choice last. */
	readonly choices: readonly Choice[];
	/** What stands on the page of each tab, the latest changed last. */
	readonly desks: readonly DeskOfTab[];
	/** Who and what is watched, by base URL. */
	readonly watches: Readonly<Record<string, Watch>>;
	/** What the headers of answers told, by base URL. */
	readonly meters: Readonly<Record<string, readonly Meter[]>>;
	/** How a service has fallen silent, by base URL; null: it answers. */
	readonly silences: Readonly<Record<string, Silence | null>>;
};

/** Where the client keeps things: IndexedDB in a browser, a file in a command-line client, memory in a test. */
export interface Shelf {
	read<K extends keyof Kept>(key: K): Promise<Kept[K] | undefined>;
	/** Reads and writes in one step, also between tabs. `change` is synchronous. Returns what it returned. */
	update<K extends keyof Kept>(key: K, change: (now: Kept[K] | undefined) => Kept[K]): Promise<Kept[K]>;
}

/** How many services a shelf remembers things about: whoever tries many sandboxes does not fill the storage. */
const services = 20;

/**
 * Values by base URL with the one of a service replaced; the service written least recently gives way.
 * @param all as kept before
 * @param service base URL
 * @param value what is kept now
 */
export function keptFor<T>(
	all: Readonly<Record<string, T>> | undefined,
	service: string,
	value: T
): Readonly<Record<string, T>> {
	const others = Object.entries(all ?? {}).filter(([base_url]) => base_url !== service);
	return Object.fromEntries([...others.slice(1 - services), [service, value]]);
}

/** How many tabs a shelf remembers things about. */
const tabs = 20;

/**
 * Things of tabs with the one of a tab at a service replaced; the tab that wrote least recently gives way.
 * @param all as kept before
 * @param mine what is kept now
 */
export function keptForTab<T extends { readonly tab: string; readonly service: string }>(
	all: readonly T[] | undefined,
	mine: T
): readonly T[] {
	const others = (all ?? []).filter(({ tab, service }) => tab !== mine.tab || service !== mine.service);
	return [...others.slice(1 - tabs), mine];
}

type Held = { -readonly [K in keyof Kept]?: Kept[K] };

/** A shelf that is gone with the page: for tests, and for browsers that refuse storage. */
export class MemoryShelf implements Shelf {
	readonly #held: Held = {};

	async read<K extends keyof Kept>(key: K): Promise<Kept[K] | undefined> {
		return this.#held[key];
	}

	async update<K extends keyof Kept>(key: K, change: (now: Kept[K] | undefined) => Kept[K]): Promise<Kept[K]> {
		const next = change(this.#held[key]);
		const held: Pick<Held, K> = this.#held;
		held[key] = next;
		return next;
	}
}
