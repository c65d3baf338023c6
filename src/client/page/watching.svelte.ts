import type { Client } from '../client.ts';
import { WatchList, type Watched } from '../manners/watch.ts';
import { problemOf } from '../problems.ts';
import type { Session } from '../tokens/sessions.ts';
import type { Explorer } from './explorer.svelte.ts';

/** A watched character as the page lists it. */
export type WatchRow = Watched & { readonly isActive: boolean; readonly next: number };

/** The watch list, and the "user is away" mode, in which it goes on without anybody being there. */
export class Watching {
	rows: readonly WatchRow[] = $state.raw([]);
	/** Polls also for people who have not been active. */
	all = $state(false);
	/** Id of the session whose person is away. */
	away: string | undefined = $state();
	/** How often the application acted while its user was away. */
	acted = $state(0);
	readonly #client: Client;
	readonly #explorer: Explorer;
	readonly #list = new WatchList({ every: 15_000, activeFor: 120_000 });

	constructor(client: Client, explorer: Explorer) {
		this.#client = client;
		this.#explorer = explorer;
	}

	/** Puts a character on the list, or takes it off. */
	toggle(session: string, name: string, now: number): void {
		if (this.has(session, name)) this.#list.remove(session, name);
		else this.#list.add(session, name, now);
		this.#show(now);
	}

	has(session: string, name: string): boolean {
		return this.rows.some((row) => row.session === session && row.name === name);
	}

	/** Notes that a person did something in the page: they are back, and active. */
	touch(session: string, now: number): void {
		if (this.away === session) this.return();
		this.#list.touch(session, now);
		this.#show(now);
	}

	/** Forgets a person's list. */
	forget(session: string, now: number): void {
		if (this.away === session) this.return();
		this.#list.remove(session);
		this.#show(now);
	}

	/**
	 * The person leaves; the application goes on with the refresh token.
	 * @param session of somebody who allowed offline access
	 * @param name of the character to look after
	 */
	async leave(session: Session, name: string, now: number): Promise<void> {
		this.away = session.id;
		this.acted = 0;
		if (!this.has(session.id, name)) this.#list.add(session.id, name, now);
		this.#show(now);
		const facts = [['with', 'its refresh token alone']] as const;
		this.#client.journal.tell({
			kind: 'noticed',
			what: 'The user is away: acting for them',
			facts,
			section: '1',
			session: session.id
		});
		await this.#act(session, name, true);
	}

	/** The person is back. */
	return(): void {
		this.away = undefined;
	}

	/** To be called every second. */
	tick(people: readonly Session[], now: number): void {
		const alive = people.filter(({ ended }) => ended === null);
		if (this.away !== undefined && !alive.some(({ id }) => id === this.away)) this.return();
		this.#show(now);
		if (this.#client.breaker.isOpen) return;
		const entry = this.#list.due(now, ({ session }) => this.all || this.away === session);
		const session = alive.find(({ id }) => id === entry?.session);
		if (entry === undefined || session === undefined) return;
		this.#show(now);
		void this.#act(session, entry.name, this.away === session.id);
	}

	async #act(session: Session, name: string, isAway: boolean): Promise<void> {
		try {
			// While the user is away every act begins with the refresh token, so that one sees that it carries.
			if (isAway) await this.#client.keeper.renew(session.id, session.access_token);
			const sheet = await this.#explorer.ask(session, name);
			this.#explorer.adopt(sheet);
			this.#list.note(session.id, name, 'answered');
			if (isAway) this.acted += 1;
		} catch (thrown) {
			this.#list.note(session.id, name, problemOf(thrown).code);
		}
	}

	#show(now: number): void {
		const { pace, entries } = this.#list;
		this.rows = entries.map((entry) => ({
			...entry,
			isActive: this.all || this.away === entry.session || this.#list.isActive(entry, now),
			next: entry.asked + pace.every
		}));
	}
}
