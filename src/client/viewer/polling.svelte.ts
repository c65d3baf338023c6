import { toClientError } from '../oauth/client-error.ts';
import type { SignedInUser } from '../storage/schema.ts';
import type { PollEntry } from '../storage/tab-schema.ts';
import type { CharacterLookup } from './character-lookup.svelte.ts';
import type { ViewerClient } from './client.ts';

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
	rows: readonly PollRow[] = $state.raw([]);
	/** The user who is signed out of the service while the client goes on with the refresh token. */
	awayUserId: string | undefined = $state();
	/** Requests since the user is away. */
	awayRequestCount = $state(0);
	readonly #client: ViewerClient;
	readonly #lookup: CharacterLookup;
	#signedOut: ReadonlySet<string> = new Set();

	constructor(client: ViewerClient, lookup: CharacterLookup) {
		this.#client = client;
		this.#lookup = lookup;
		this.#update();
	}

	has(userId: string, name: string): boolean {
		return this.rows.some((row) => row.userId === userId && row.name === name);
	}

	/** Adds a character to the list, or removes it. */
	toggle(userId: string, name: string): void {
		if (!this.has(userId, name)) return this.#add(userId, name);
		this.#setEntries(this.#entries.filter((entry) => entry.userId !== userId || entry.name !== name));
	}

	/** The user did something in the page: the user is active, and back. */
	markActive(userId: string): void {
		this.#setEntries(
			this.#entries.map((entry) => (entry.userId === userId ? { ...entry, activeAt: this.#now() } : entry))
		);
		if (this.awayUserId === userId) this.markBack();
	}

	/**
	 * Goes on for a user who has signed out of the service, with the refresh token.
	 * @param name of the character to poll
	 */
	async startAway(user: SignedInUser, name: string): Promise<void> {
		this.#client.tab.set({ away: { userId: user.id, requestCount: 0 } });
		if (this.has(user.id, name)) this.#update();
		else this.#add(user.id, name);
		this.#client.log.emit({
			kind: 'info',
			message: 'User signed out. Using the refresh token',
			fields: [['user', user.label]],
			section: '1'
		});
		await this.#poll(user, name, true);
	}

	/** The user who was away is back. */
	markBack(): void {
		this.#client.tab.set({ away: null });
		this.#update();
	}

	/** Call it every second, with all users. Requests at most one character. */
	async tick(users: readonly SignedInUser[]): Promise<void> {
		const active = users.filter(({ ended }) => ended === null);
		this.#signedOut = new Set(users.filter(({ ended }) => ended !== null).map(({ id }) => id));
		const known = this.#entries.filter((entry) => users.some(({ id }) => id === entry.userId));
		if (known.length < this.#entries.length) this.#setEntries(known);
		if (this.awayUserId !== undefined && !active.some(({ id }) => id === this.awayUserId)) this.markBack();
		this.#update();
		if (this.#client.outage.isActive) return;
		const now = this.#now();
		// After the clock was set back, waiting for it to catch up would stop the polling.
		const due = this.rows
			.filter((row) => row.isActive && !row.isSignedOut && Math.abs(now - row.requestedAt) >= interval)
			.toSorted((one, other) => one.requestedAt - other.requestedAt)[0];
		const user = active.find(({ id }) => id === due?.userId);
		if (due === undefined || user === undefined) return;
		this.#change(due, { requestedAt: now });
		await this.#poll(user, due.name, this.awayUserId === user.id);
	}

	async #poll(user: SignedInUser, name: string, isAway: boolean): Promise<void> {
		const entry = { userId: user.id, name };
		try {
			// Shows that the refresh token works without the user.
			if (isAway) await this.#client.tokens.refresh(user.id, user.access_token);
			this.#lookup.applyPolled(user.id, await this.#lookup.fetch(user, name));
			this.#change(entry, { lastResult: 'ok' });
			const { away } = this.#client.tab.value;
			if (away?.userId === user.id) {
				this.#client.tab.set({ away: { ...away, requestCount: away.requestCount + 1 } });
				this.#update();
			}
		} catch (thrown) {
			this.#change(entry, { lastResult: toClientError(thrown).code });
		}
	}

	get #entries(): readonly PollEntry[] {
		return this.#client.tab.value.pollEntries;
	}

	#add(userId: string, name: string): void {
		const now = this.#now();
		this.#setEntries([...this.#entries, { userId, name, requestedAt: now, activeAt: now, lastResult: '' }]);
	}

	#change({ userId, name }: Pick<PollEntry, 'userId' | 'name'>, part: Partial<PollEntry>): void {
		this.#setEntries(
			this.#entries.map((entry) => (entry.userId === userId && entry.name === name ? { ...entry, ...part } : entry))
		);
	}

	#setEntries(entries: readonly PollEntry[]): void {
		this.#client.tab.set({ pollEntries: [...entries] });
		this.#update();
	}

	#update(): void {
		const { preferences, tab } = this.#client;
		const { away, pollEntries } = tab.value;
		const now = this.#now();
		this.awayUserId = away?.userId;
		this.awayRequestCount = away?.requestCount ?? 0;
		this.rows = pollEntries.map((entry) => {
			const isRecent = Math.abs(now - entry.activeAt) < idleAfter;
			return {
				...entry,
				isActive: isRecent || preferences.value.pollInactive || away?.userId === entry.userId,
				isSignedOut: this.#signedOut.has(entry.userId),
				nextAt: entry.requestedAt + interval
			};
		});
	}

	#now(): number {
		return this.#client.environment.now();
	}
}
