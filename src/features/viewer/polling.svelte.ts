import { toClientError } from '#client/oauth/client-error.ts';
import type { SignedInUser } from '#client/storage/schema.ts';
import type { PollEntry } from '#client/storage/tab-schema.ts';
import type { CharacterLookup } from './character-lookup.svelte.ts';
import type { ViewerClient } from './client.ts';
import { entry } from './event-log.svelte.ts';
import type { SignedInUsers } from './users.svelte.ts';

/** An entry as the page lists it. */
export type PollRow = PollEntry & {
	/** Whether its user was active recently. */
	readonly isActive: boolean;
	/** The user's session has ended, so the character is not requested. */
	readonly isSignedOut: boolean;
	/** When it is requested next, in milliseconds by this machine's clock. */
	readonly nextAt: number;
};

/** A character is requested this often, until its user has been idle for the second time (section 8.9). Milliseconds. */
const interval = 15_000;
const idleAfter = 120_000;

/** Polls characters for recently active users, or while a user is away. Each tab polls its own list. */
export class Polling {
	readonly #client: ViewerClient;
	readonly #lookup: CharacterLookup;
	readonly #users: SignedInUsers;
	/** This machine's clock at the last tick, in milliseconds since 1970. */
	#now = $state(0);
	/** The user who is signed out of the service while the client goes on, and the requests since then. */
	readonly away = $derived.by(() => this.#client.tab.value.away);
	readonly rows: readonly PollRow[] = $derived.by(() => this.#entries.map((entry) => this.#rowOf(entry)));

	constructor(client: ViewerClient, lookup: CharacterLookup, users: SignedInUsers) {
		this.#client = client;
		this.#lookup = lookup;
		this.#users = users;
		this.#now = client.environment.now();
	}

	has(userId: string, name: string): boolean {
		return this.#entries.some((entry) => entry.userId === userId && entry.name === name);
	}

	/** Adds a character to the list, or removes it. */
	toggle(userId: string, name: string): void {
		if (!this.has(userId, name)) return this.#add(userId, name);
		this.#setEntries(this.#entries.filter((entry) => entry.userId !== userId || entry.name !== name));
	}

	/** The user did something in the page: the user is active, and back. */
	markActive(userId: string): void {
		const activeAt = this.#client.environment.now();
		this.#setEntries(this.#entries.map((entry) => (entry.userId === userId ? { ...entry, activeAt } : entry)));
		if (this.away?.userId === userId) this.markBack();
	}

	/**
	 * Goes on for a user who has signed out of the service, with the refresh token.
	 * @param name of the character to poll
	 */
	async startAway(user: SignedInUser, name: string): Promise<void> {
		this.#client.tab.set({ away: { userId: user.id, requestCount: 0 } });
		if (!this.has(user.id, name)) this.#add(user.id, name);
		this.#client.log.emit(entry('User signed out. Using the refresh token', '1', [['user', user.label]]));
		await this.#poll(user, name);
	}

	/** The user who was away is back. */
	markBack(): void {
		this.#client.tab.set({ away: null });
	}

	/** Call it every second. Requests at most one character. */
	async tick(): Promise<void> {
		const now = this.#client.environment.now();
		this.#now = now;
		const { list } = this.#users;
		const known = this.#entries.filter(({ userId }) => list.some(({ id }) => id === userId));
		if (known.length < this.#entries.length) this.#setEntries(known);
		if (this.away !== null && list.find(({ id }) => id === this.away?.userId)?.ended !== null) this.markBack();
		// After the clock was set back, waiting for it to catch up would stop the polling.
		const due = this.rows
			.filter((row) => row.isActive && !row.isSignedOut && Math.abs(now - row.requestedAt) >= interval)
			.toSorted((one, other) => one.requestedAt - other.requestedAt)[0];
		const user = list.find(({ id }) => id === due?.userId);
		if (due === undefined || user === undefined) return;
		this.#change(due, { requestedAt: now });
		await this.#poll(user, due.name);
	}

	async #poll(user: SignedInUser, name: string): Promise<void> {
		const polled = { userId: user.id, name };
		try {
			// Shows that the refresh token works without the user.
			if (this.away?.userId === user.id) await this.#client.tokens.refresh(user.id, user.access_token);
			this.#lookup.applyPolled(user.id, await this.#lookup.fetch(user, name));
			this.#change(polled, { lastResult: 'ok' });
			const { away } = this;
			if (away?.userId === user.id) this.#client.tab.set({ away: { ...away, requestCount: away.requestCount + 1 } });
		} catch (thrown) {
			this.#change(polled, { lastResult: toClientError(thrown).code });
		}
	}

	get #entries(): readonly PollEntry[] {
		return this.#client.tab.value.pollEntries;
	}

	#add(userId: string, name: string): void {
		const now = this.#client.environment.now();
		this.#setEntries([...this.#entries, { userId, name, requestedAt: now, activeAt: now, lastResult: '' }]);
	}

	#change({ userId, name }: Pick<PollEntry, 'userId' | 'name'>, part: Partial<PollEntry>): void {
		this.#setEntries(
			this.#entries.map((one) => (one.userId === userId && one.name === name ? { ...one, ...part } : one))
		);
	}

	#setEntries(entries: readonly PollEntry[]): void {
		this.#client.tab.set({ pollEntries: [...entries] });
	}

	#rowOf(entry: PollEntry): PollRow {
		const isRecent = Math.abs(this.#now - entry.activeAt) < idleAfter;
		return {
			...entry,
			isActive: isRecent || this.#client.settings.value.pollInactive || this.away?.userId === entry.userId,
			isSignedOut: this.#users.list.some(({ id, ended }) => id === entry.userId && ended !== null),
			nextAt: entry.requestedAt + interval
		};
	}
}
