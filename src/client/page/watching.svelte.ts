import type { Client } from '../client.ts';
import type { Watched } from '../manners/watch.ts';
import { problemOf } from '../problems.ts';
import type { Session } from '../tokens/sessions.ts';
import type { Explorer } from './explorer.svelte.ts';

/** A watched character as the page lists it. */
export type WatchRow = Watched & {
	readonly isActive: boolean;
	/** The session of its person is over: it is not asked for. */
	readonly isOver: boolean;
	readonly next: number;
};

/** The watch list, and the "user is away" mode, in which it goes on without anybody being there. */
export class Watching {
	rows: readonly WatchRow[] = $state.raw([]);
	/** Id of the session whose person is away. */
	away: string | undefined = $state();
	/** How often the application acted while its user was away. */
	acted = $state(0);
	/** Ids of the sessions that have ended. */
	#over: ReadonlySet<string> = new Set();
	readonly #client: Client;
	readonly #explorer: Explorer;
	readonly #now: () => number;

	/**
	 * @param now this machine's clock, in milliseconds since 1970
	 */
	constructor(client: Client, explorer: Explorer, now: () => number) {
		this.#client = client;
		this.#explorer = explorer;
		this.#now = now;
	}

	/** Follows the list, changed here or in another tab. Returns what ends it. */
	follow(): () => void {
		this.#show();
		return this.#client.watchList.listen(() => this.#show());
	}

	/** Puts a character on the list, or takes it off. */
	async toggle(session: string, name: string): Promise<void> {
		const { watchList } = this.#client;
		if (this.has(session, name)) await watchList.remove(session, name);
		else await watchList.add(session, name, this.#now());
	}

	has(session: string, name: string): boolean {
		return this.rows.some((row) => row.session === session && row.name === name);
	}

	/** Notes that a person did something in the page: they are back, and active. */
	async touch(session: string): Promise<void> {
		await this.#client.watchList.touch(session, this.#now());
	}

	/**
	 * The person leaves; the application goes on with the refresh token.
	 * @param session of somebody who allowed offline access
	 * @param name of the character to look after
	 */
	async leave(session: Session, name: string): Promise<void> {
		const { watchList, journal } = this.#client;
		await watchList.leave(session.id);
		if (!this.has(session.id, name)) await watchList.add(session.id, name, this.#now());
		const facts = [['with', 'its refresh token alone']] as const;
		journal.tell({
			kind: 'noticed',
			what: 'The user is away: acting for them',
			facts,
			section: '1',
			session: session.id
		});
		await this.#act(session, name, true);
	}

	/** The person is back. */
	async return(): Promise<void> {
		await this.#client.watchList.leave(undefined);
	}

	/** To be called every second, with everybody who is signed in. */
	async tick(people: readonly Session[]): Promise<void> {
		const { watchList, breaker } = this.#client;
		const alive = people.filter(({ ended }) => ended === null);
		await watchList.keepOnly(people.map(({ id }) => id));
		if (this.away !== undefined && !alive.some(({ id }) => id === this.away)) await this.return();
		this.#over = new Set(people.filter(({ ended }) => ended !== null).map(({ id }) => id));
		this.#show();
		if (breaker.isOpen) return;
		const now = this.#now();
		const entry = await watchList.due(now, (one) => !this.#over.has(one.session) && this.#isActive(one, now));
		const session = alive.find(({ id }) => id === entry?.session);
		if (entry !== undefined && session !== undefined) await this.#act(session, entry.name, this.away === session.id);
	}

	async #act(session: Session, name: string, isAway: boolean): Promise<void> {
		const { keeper, watchList } = this.#client;
		try {
			// While the user is away every act begins with the refresh token, so that one sees that it carries.
			if (isAway) await keeper.renew(session.id, session.access_token);
			const sheet = await this.#explorer.ask(session, name);
			this.#explorer.adopt(session.id, sheet);
			await watchList.note(session.id, name, 'answered');
		} catch (thrown) {
			await watchList.note(session.id, name, problemOf(thrown).code);
		}
	}

	#isActive(entry: Watched, now: number): boolean {
		const { watchList, switches } = this.#client;
		const isAway = watchList.now.away?.session === entry.session;
		return switches.now.watchAll || isAway || watchList.isActive(entry, now);
	}

	#show(): void {
		const { watchList } = this.#client;
		const { entries, away } = watchList.now;
		const now = this.#now();
		this.away = away?.session;
		this.acted = away?.acted ?? 0;
		this.rows = entries.map((entry) => ({
			...entry,
			isActive: this.#isActive(entry, now),
			isOver: this.#over.has(entry.session),
			next: entry.asked + watchList.pace.every
		}));
	}
}
