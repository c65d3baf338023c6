import { automaticRequest } from '#api/headers.ts';
import type { AccessType } from '#client/oauth/client-registration.ts';
import { type ClientError, toClientError } from '#client/oauth/client-error.ts';
import { needsRefresh } from '#client/oauth/token-manager.ts';
import { patterns } from '#client/service-urls.ts';
import type { SignedInUser } from '#client/storage/schema.ts';
import { CharacterLookup } from './character-lookup.svelte.ts';
import type { ViewerClient } from './client.ts';
import { endServiceSession } from './end-service-session.ts';
import { Polling } from './polling.svelte.ts';
import { SignInForm } from './sign-in-form.svelte.ts';
import { SignedInUsers } from './users.svelte.ts';
import { patternOfKind } from '#api/world/record-values.ts';
import { parseRateLimits } from '#client/parse-resources.ts';
import type { TrackedRateLimit } from '#client/rate-limit/tracker.ts';
import { addSample, type Gauge } from './gauge.ts';

/** The state of the client's page. */
export class Viewer {
	readonly client: ViewerClient;
	readonly users: SignedInUsers;
	readonly signIn: SignInForm;
	readonly lookup: CharacterLookup;
	readonly rateLimits: RateLimits;
	readonly polling: Polling;
	/** The service's clock, in milliseconds since 1970. Changes four times a second while the page is open. */
	now: number = $state(0);
	isSigningOutUser = $state(false);
	/** Why the user could not be signed out of the service. */
	signOutError: ClientError | undefined = $state.raw();
	/** What ends with the page, besides what it started. */
	readonly ends = new Set<() => void>();
	/** The service's clock, in milliseconds since 1970. */
	readonly serverNow = () => this.client.clock.now();

	#address: string;

	/** @param access_type the default one of this app */
	constructor(client: ViewerClient, access_type: AccessType = 'online') {
		this.client = client;
		this.#address = client.environment.virtualAddress();
		this.now = this.serverNow();
		this.signIn = new SignInForm(client, access_type);
		this.lookup = new CharacterLookup(client);
		this.users = new SignedInUsers(client, (id) => {
			this.lookup.forget(id);
			this.signIn.forget(id);
		});
		this.polling = new Polling(client, this.lookup, this.users);
		this.rateLimits = new RateLimits(client);
	}

	/** How long the next lookup is delayed, in milliseconds, or what it waits for. */
	readonly nextRequestDelay: number | 'reset' = $derived.by(() => {
		const { resources } = this.client;
		// The resource client is not reactive. Its values change with the gauges and with time.
		const isReactive = this.rateLimits.gauges.length + this.now > 0;
		const retryAt = resources.retryAt.blockedUntil(patterns.character, this.serverNow());
		return isReactive && retryAt !== undefined ? 'reset' : resources.delay(patterns.character);
	});

	/**
	 * Starts everything that the page does without the user. Returns a function that ends it.
	 * @param isQuiet lessons: no token is used or refreshed until the user asks for it
	 */
	start({ isQuiet = false } = {}): () => void {
		const timers = [
			setInterval(() => (this.now = this.serverNow()), 250),
			setInterval(() => this.#everySecond(isQuiet), 1000)
		];
		const ends = [this.users.start(), this.rateLimits.start()];
		void this.signIn.prepare();
		if (!isQuiet) void this.checkAccess();
		return () => {
			timers.forEach(clearInterval);
			for (const end of [...ends, ...this.ends]) end();
		};
	}

	/** Call it when the page becomes visible: one request shows whether access was revoked meanwhile, and updates the gauges. */
	async checkAccess(): Promise<void> {
		const user = this.users.active;
		if (user?.ended === null) await this.rateLimits.fetch(user.id, automaticRequest);
	}

	/**
	 * A user has signed in: makes the user active, and repeats the previous lookup of the same user.
	 * @param repeats false in lessons, where the user does each step
	 */
	async finishSignIn(id: string, repeats = true): Promise<void> {
		this.signIn.close();
		this.users.select(id);
		// Before the page is shown, otherwise it shows its sign-in form for a moment.
		await this.users.load();
		const { lastLookup, nextLookup } = this.client.tab.value;
		this.client.tab.set({ nextLookup: null });
		if (!repeats) return;
		if (nextLookup !== null) void this.lookUp(nextLookup, true);
		else if (lastLookup?.userId === id) void this.lookUp(lastLookup.name, true);
	}

	/**
	 * Does what a link to the page asks for: looks a character up, after a sign-in if no user is signed in, or opens the sign-in
	 * form for an account.
	 * @param query of the link: `character` or `account`
	 */
	followLink(query: URLSearchParams): void {
		const character = query.get('character')?.slice(0, 200) ?? '';
		const username = query.get('account')?.slice(0, 32) ?? '';
		if (username !== '') this.signIn.open(username);
		else if (character !== '' && this.users.active !== undefined) void this.lookUp(character, true);
		else if (character !== '') this.client.tab.set({ nextLookup: character });
	}

	/** Looks up a character for the active user. */
	async lookUp(name: string, reload = false): Promise<void> {
		const user = this.users.active;
		if (user === undefined || name.trim() === '') return;
		this.polling.markActive(user.id);
		await this.lookup.lookUp(user, name.trim(), reload);
	}

	/** Signs the user out of the service and goes on with the refresh token. */
	async simulateUserAway(user: SignedInUser, name: string): Promise<void> {
		if (this.isSigningOutUser) return;
		const { environment, urls } = this.client;
		this.isSigningOutUser = true;
		this.signOutError = undefined;
		try {
			await endServiceSession(environment.fetch, urls.account);
			await this.polling.startAway(user, name);
		} catch (thrown) {
			this.signOutError = toClientError(thrown);
		} finally {
			this.isSigningOutUser = false;
		}
	}

	#everySecond(isQuiet: boolean): void {
		const address = this.client.environment.virtualAddress();
		if (address !== this.#address) {
			this.#address = address;
			this.rateLimits.reset();
			if (!isQuiet) void this.checkAccess();
		}
		this.lookup.tick();
		if (this.users.isLoaded) void this.polling.tick();
		if (!isQuiet) this.#refreshIfNeeded();
	}

	/** Refreshes the active user's access token in time, and notices when online access ends. */
	#refreshIfNeeded(): void {
		const user = this.users.active;
		if (user === undefined || user.ended !== null) return;
		const now = this.serverNow();
		const mustWait = user.refresh_token !== null && now < user.retryAt;
		if (needsRefresh(user, now) && !mustWait) this.client.tokens.getAccessToken(user.id).catch(toClientError);
	}
}

/** The rate limits, from the headers of responses and from `/ws/v2.0/ratelimits`. */
export class RateLimits {
	/** In the order of their patterns. */
	gauges: readonly Gauge[] = $state.raw([]);
	/** The address that they count for; undefined until a response has named it. */
	address: string | undefined = $state();
	isFetching = $state(false);
	/** The last request got no response. */
	noResponse = $state(false);
	error: ClientError | undefined = $state.raw();
	readonly #client: ViewerClient;

	/** Restores the values from before a reload. A window that has ended since is left out. */
	constructor(client: ViewerClient) {
		this.#client = client;
		const { clock, environment, resources, tab } = client;
		for (const { pattern, updatedAt, ...rateLimit } of tab.value.rateLimits) {
			if (rateLimit.reset > clock.now()) this.#add(resources.tracker.update(pattern, rateLimit, updatedAt));
		}
		environment.onPageHide(() => tab.set({ rateLimits: [...resources.tracker.all] }));
	}

	/** Follows the headers of all responses. Returns a function that ends it. */
	start(): () => void {
		const ends = [
			this.#client.rateLimitUpdated.subscribe((rateLimit) => {
				this.#add(rateLimit);
				// The service responds again.
				if (this.error?.code === 'no_response') this.error = undefined;
			}),
			this.#client.requestEnded.subscribe((outcome) => {
				if (outcome.kind !== 'aborted') this.noResponse = outcome.kind === 'no_response';
				const named = outcome.kind === 'response' ? outcome.headers.get('x-tollgate-address') : null;
				if (named !== null) this.address = named;
			})
		];
		return () => ends.forEach((end) => end());
	}

	/** Call it when requests count for another address: its limits are not known yet, and none is used up. */
	reset(): void {
		this.gauges = [];
		this.address = undefined;
		const ofKinds = (this.#client.world.kinds ?? []).map(({ name }) => patternOfKind(name));
		for (const pattern of [...Object.values(patterns), ...ofKinds]) this.#client.resources.retryAt.unblock(pattern);
	}

	/**
	 * Requests `/ws/v2.0/ratelimits`, which is rate limited too.
	 * @param headers that say who asked for it
	 */
	async fetch(userId: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
		if (this.isFetching) return;
		const { resources, clock } = this.#client;
		this.isFetching = true;
		this.error = undefined;
		try {
			const { data } = await resources.get(patterns.ratelimits, { tokenSetId: userId, headers });
			for (const { pattern, limit, remaining, reset } of parseRateLimits(data)) {
				if (limit === 0) continue;
				// The owner of the sandbox may have reset the limits.
				if (remaining > 0) resources.retryAt.unblock(pattern);
				this.#add(resources.tracker.update(pattern, { limit, remaining, reset }, clock.now()));
			}
		} catch (thrown) {
			const error = toClientError(thrown);
			// The page says of the user that access has ended.
			if ((await this.#client.users.get(userId))?.ended !== error.code) this.error = error;
		} finally {
			this.isFetching = false;
		}
	}

	#add(rateLimit: TrackedRateLimit): void {
		const known = this.gauges.find(({ pattern }) => pattern === rateLimit.pattern);
		const gauge = addSample(known, rateLimit);
		this.gauges = known
			? this.gauges.map((one) => (one === known ? gauge : one))
			: [...this.gauges, gauge].toSorted((one, other) => (one.pattern < other.pattern ? -1 : 1));
	}
}
