import type { Format } from './resources/answer.ts';
import type { LimitRecord } from './resources/ratelimits.ts';
import { keptForTab, type Shelf } from './shelf.ts';
import type { Wishes } from './sign-in/request.ts';

/** The character that was asked for last. */
export type Look = {
	/** Id of the session that it was asked for with. */
	readonly session: string;
	readonly name: string;
	/** What came of it, where that may be kept; null: ask again. */
	readonly answer: KeptAnswer | null;
};

/** An answer of the character resource, as it came. */
export type KeptAnswer = {
	readonly status: number;
	readonly format: Format;
	readonly text: string;
	readonly requestId: string | null;
	/** What the person had allowed. */
	readonly scope: readonly string[];
	/** When it came, in milliseconds by the service's clock. */
	readonly at: number;
};

/** What `ratelimits` said. */
export type LimitTable = {
	readonly records: readonly LimitRecord[];
	/** When it was asked, in milliseconds by the service's clock. */
	readonly asked: number;
};

/** What stands on the page of a tab; null: nothing yet. */
export type Things = {
	readonly look: Look | null;
	readonly wishes: Wishes | null;
	readonly limits: LimitTable | null;
};

/** The things of one tab at one service, as they are kept. */
export type DeskOfTab = Things & {
	readonly tab: string;
	/** Base URL of the service. */
	readonly service: string;
};

const empty: Things = { look: null, wishes: null, limits: null };

/** The longest answer that is kept, in characters. */
const longest = 65_536;

/** What a tab has in front of it: each has its own, and finds it again after a reload. */
export class Desk {
	readonly #shelf: Shelf;
	readonly #tab: string;
	readonly #service: string;
	#now = empty;

	/**
	 * @param shelf where it is kept
	 * @param tab this one
	 * @param service base URL
	 */
	constructor(shelf: Shelf, tab: string, service: string) {
		this.#shelf = shelf;
		this.#tab = tab;
		this.#service = service;
	}

	/** As it was found, and changed since. */
	get now(): Things {
		return this.#now;
	}

	/** Takes up how it was left. */
	async load(): Promise<void> {
		const all = (await this.#shelf.read('desks')) ?? [];
		const { look, wishes, limits } = all.find((one) => this.#isMine(one)) ?? empty;
		this.#now = { look, wishes, limits };
	}

	/** Lays some things on it in place of those that were there; an answer that is very long is not kept. */
	async put(part: Partial<Things>): Promise<void> {
		const look =
			part.look?.answer && part.look.answer.text.length > longest ? { look: { ...part.look, answer: null } } : {};
		this.#now = { ...this.#now, ...part, ...look };
		const mine = { ...this.#now, tab: this.#tab, service: this.#service };
		await this.#shelf.update('desks', (all) => keptForTab(all, mine));
	}

	/** Takes what somebody was shown off the desks of all tabs. */
	async clear(session: string): Promise<void> {
		const cleared = <T extends Things>(desk: T): T => (desk.look?.session === session ? { ...desk, look: null } : desk);
		this.#now = cleared(this.#now);
		await this.#shelf.update('desks', (all = []) => all.map(cleared));
	}

	#isMine({ tab, service }: DeskOfTab): boolean {
		return tab === this.#tab && service === this.#service;
	}
}
