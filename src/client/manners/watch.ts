import type { Bell } from '../bell.ts';
import { problemOf } from '../problems.ts';
import { keptFor, type Shelf } from '../shelf.ts';

/** Somebody's character that is looked at again and again. */
export type Watched = {
	readonly session: string;
	readonly name: string;
	/** When it was last asked for, in milliseconds by this machine's clock. */
	readonly asked: number;
	/** When its person was last active, in milliseconds by this machine's clock. */
	readonly active: number;
	/** What came of it last: `answered`, or the code of a problem; empty before. */
	readonly last: string;
};

/** What is watched, and for whom. */
export type Watch = {
	readonly entries: readonly Watched[];
	/** The one whose user is away, and how often the application has acted for them since; null: nobody is. */
	readonly away: { readonly session: string; readonly acted: number } | null;
};

/** How often each is asked for, and for how long after its person was last active, in milliseconds. */
export type WatchPace = { readonly every: number; readonly activeFor: number };

const nothing: Watch = { entries: [], away: null };

/**
 * A watch list that polls only for recently active users (section 8.9). It decides who is due; asking is the caller's.
 * All tabs share it and it outlives the page; who is due is given to one tab alone.
 */
export class WatchList {
	readonly pace: WatchPace;
	readonly #service: string;
	readonly #shelf: Shelf;
	readonly #bell: Bell;
	readonly #listeners = new Set<() => void>();
	#now = nothing;
	#writing = 0;

	/**
	 * @param service base URL
	 * @param pace of polling
	 * @param tools where it is kept, and what tells other tabs
	 */
	constructor(service: string, pace: WatchPace, tools: { readonly shelf: Shelf; readonly bell: Bell }) {
		this.pace = pace;
		this.#service = service;
		this.#shelf = tools.shelf;
		this.#bell = tools.bell;
		tools.bell.listen(() => void this.load().catch(problemOf));
	}

	/** As it stands. */
	get now(): Watch {
		return this.#now;
	}

	/** Takes up how it was left, here or in another tab. */
	async load(): Promise<void> {
		const all = await this.#shelf.read('watches');
		if (this.#writing === 0) this.#set(all?.[this.#service] ?? nothing);
	}

	/** Puts a character on the list. */
	async add(session: string, name: string, now: number): Promise<void> {
		const entry = { session, name, asked: now, active: now, last: '' };
		await this.#change((watch) => ({ ...watch, entries: [...without(watch.entries, session, name), entry] }));
	}

	/** Takes a character off the list. */
	async remove(session: string, name: string): Promise<void> {
		await this.#change((watch) => ({ ...watch, entries: without(watch.entries, session, name) }));
	}

	/** Keeps only what belongs to those who are signed in. */
	async keepOnly(sessions: readonly string[]): Promise<void> {
		const { entries, away } = this.#now;
		const isStranger = ({ session }: { session: string }) => !sessions.includes(session);
		if (!entries.some(isStranger) && (away === null || !isStranger(away))) return;
		await this.#change((watch) => ({
			entries: watch.entries.filter((entry) => !isStranger(entry)),
			away: watch.away === null || isStranger(watch.away) ? null : watch.away
		}));
	}

	/** Notes that a person did something: they are active, and not away. */
	async touch(session: string, now: number): Promise<void> {
		const { entries: known, away: gone } = this.#now;
		if (gone?.session !== session && !known.some((entry) => entry.session === session)) return;
		await this.#change(({ entries, away }) => ({
			entries: entries.map((entry) => (entry.session === session ? { ...entry, active: now } : entry)),
			away: away?.session === session ? null : away
		}));
	}

	/** Notes that a person has left; undefined: that whoever was away is back. */
	async leave(session: string | undefined): Promise<void> {
		await this.#change((watch) => ({ ...watch, away: session === undefined ? null : { session, acted: 0 } }));
	}

	/** Whether the person of an entry is still polled for. */
	isActive(entry: Watched, now: number): boolean {
		return Math.abs(now - entry.active) < this.pace.activeFor;
	}

	/** Notes what came of asking. */
	async note(session: string, name: string, last: string): Promise<void> {
		await this.#change(({ entries, away }) => ({
			entries: entries.map((entry) => (isSame(entry, session, name) ? { ...entry, last } : entry)),
			away: away?.session === session && last === 'answered' ? { ...away, acted: away.acted + 1 } : away
		}));
	}

	/**
	 * The one that should be asked for now, noted as asked; at most one a call, so that a poll is never a burst, and each
	 * to one tab, so that two tabs do not ask twice.
	 * @param now milliseconds, by this machine's clock
	 * @param isAskedFor whose turn it may be
	 */
	async due(now: number, isAskedFor: (entry: Watched) => boolean): Promise<Watched | undefined> {
		if (this.#next(this.#now.entries, now, isAskedFor) === undefined) return undefined;
		let taken: Watched | undefined;
		await this.#change((watch) => {
			taken = this.#next(watch.entries, now, isAskedFor);
			return { ...watch, entries: watch.entries.map((entry) => (entry === taken ? { ...entry, asked: now } : entry)) };
		});
		return taken;
	}

	/** Listens to changes, made here or in another tab. Returns what ends it. */
	listen(changed: () => void): () => void {
		this.#listeners.add(changed);
		return () => this.#listeners.delete(changed);
	}

	#next(entries: readonly Watched[], now: number, isAskedFor: (entry: Watched) => boolean): Watched | undefined {
		// A clock that was set back is no reason to wait until it has caught up.
		const ready = entries.filter((entry) => Math.abs(now - entry.asked) >= this.pace.every && isAskedFor(entry));
		return ready.toSorted((one, other) => one.asked - other.asked)[0];
	}

	/** Shown at once, then made true on the shelf, where another tab may have been first. */
	async #change(how: (watch: Watch) => Watch): Promise<void> {
		this.#set(how(this.#now));
		this.#writing += 1;
		const all = await this.#shelf
			.update('watches', (kept) => keptFor(kept, this.#service, how(kept?.[this.#service] ?? nothing)))
			.finally(() => (this.#writing -= 1));
		// What is still on its way is shown already.
		if (this.#writing === 0) this.#set(all[this.#service] ?? nothing);
		this.#bell.ring();
	}

	#set(next: Watch): void {
		this.#now = next;
		for (const listener of this.#listeners) listener();
	}
}

function isSame(entry: Watched, session: string, name: string): boolean {
	return entry.session === session && entry.name === name;
}

function without(entries: readonly Watched[], session: string, name: string): readonly Watched[] {
	return entries.filter((entry) => !isSame(entry, session, name));
}
