/** Somebody's character that is looked at again and again. */
export type Watched = {
	readonly session: string;
	readonly name: string;
	/** When it was last asked for, in milliseconds by this machine's clock; 0: never. */
	readonly asked: number;
	/** When its person was last active, in milliseconds by this machine's clock. */
	readonly active: number;
	/** What came of it last: `answered`, or the code of a problem; empty before. */
	readonly last: string;
};

/** How often each is asked for, and for how long after its person was last active, in milliseconds. */
export type WatchPace = { readonly every: number; readonly activeFor: number };

/**
 * A watch list that polls only for recently active users (section 8.9). It decides who is due; asking is the caller's.
 */
export class WatchList {
	readonly pace: WatchPace;
	#entries: readonly Watched[] = [];

	constructor(pace: WatchPace) {
		this.pace = pace;
	}

	/** The list as it stands. */
	get entries(): readonly Watched[] {
		return this.#entries;
	}

	/** Puts a character on the list. */
	add(session: string, name: string, now: number): void {
		this.remove(session, name);
		this.#entries = [...this.#entries, { session, name, asked: now, active: now, last: '' }];
	}

	/** Takes a character off the list, or all of a session's. */
	remove(session: string, name?: string): void {
		this.#entries = this.#entries.filter(
			(entry) => entry.session !== session || (name !== undefined && entry.name !== name)
		);
	}

	/** Notes that a person did something. */
	touch(session: string, now: number): void {
		this.#entries = this.#entries.map((entry) => (entry.session === session ? { ...entry, active: now } : entry));
	}

	/** Whether the person of an entry is still polled for. */
	isActive(entry: Watched, now: number): boolean {
		return now - entry.active < this.pace.activeFor;
	}

	/** Notes what came of asking. */
	note(session: string, name: string, last: string): void {
		this.#entries = this.#entries.map((entry) => {
			return entry.session === session && entry.name === name ? { ...entry, last } : entry;
		});
	}

	/**
	 * The one that should be asked for now, noted as asked; at most one a call, so that a poll is never a burst.
	 * @param now milliseconds, by this machine's clock
	 * @param admits others than those of recently active people
	 */
	due(now: number, admits: (entry: Watched) => boolean = () => false): Watched | undefined {
		const ready = this.#entries.filter((entry) => {
			return now - entry.asked >= this.pace.every && (admits(entry) || this.isActive(entry, now));
		});
		const next = ready.toSorted((one, other) => one.asked - other.asked)[0];
		if (next === undefined) return undefined;
		this.#entries = this.#entries.map((entry) => (entry === next ? { ...entry, asked: now } : entry));
		return next;
	}
}
