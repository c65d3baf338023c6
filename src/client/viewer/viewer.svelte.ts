import type { AccessType } from '../oauth/client-registration.ts';
import { toClientError, type ClientError } from '../oauth/client-error.ts';
import { needsRefresh } from '../oauth/token-manager.ts';
import { patterns } from '../service-urls.ts';
import type { SignedInUser } from '../storage/schema.ts';
import { CharacterLookup } from './character-lookup.svelte.ts';
import type { ViewerClient } from './client.ts';
import { Clock } from './clock.svelte.ts';
import { endServiceSession } from './end-service-session.ts';
import { EventLogView } from './event-log-view.svelte.ts';
import { LoadTest } from './load-test.svelte.ts';
import type { Outage } from './outage.svelte.ts';
import { Polling } from './polling.svelte.ts';
import type { Preferences } from './preferences.svelte.ts';
import { RateLimits } from './rate-limits.svelte.ts';
import { SignInForm } from './sign-in-form.svelte.ts';
import { SignedInUsers } from './users.svelte.ts';

/** The state of the client's page. */
export class Viewer {
	readonly client: ViewerClient;
	readonly clock: Clock;
	readonly users: SignedInUsers;
	readonly signIn: SignInForm;
	readonly lookup: CharacterLookup;
	readonly rateLimits: RateLimits;
	readonly loadTest: LoadTest;
	readonly polling: Polling;
	readonly log: EventLogView;
	/** Whether the user is being signed out of the service. */
	isSigningOutUser = $state(false);
	/** Why the user could not be signed out of the service. */
	signOutError: ClientError | undefined = $state.raw();
	/** The service's clock, in milliseconds since 1970. */
	readonly serverNow = () => this.client.clock.now();

	/** @param access_type the default one of this app */
	constructor(client: ViewerClient, access_type: AccessType = 'online') {
		this.client = client;
		this.clock = new Clock(client.environment.now);
		this.signIn = new SignInForm(client, access_type);
		this.lookup = new CharacterLookup(client);
		this.polling = new Polling(client, this.lookup);
		this.users = new SignedInUsers(client, (id) => {
			this.lookup.forget(id);
			this.signIn.forget(id);
		});
		this.rateLimits = new RateLimits(client);
		this.loadTest = new LoadTest(client);
		this.log = new EventLogView(client.log);
	}

	get outage(): Outage {
		return this.client.outage;
	}

	get preferences(): Preferences {
		return this.client.preferences;
	}

	/** How long the next lookup is delayed, in milliseconds, or what it waits for. */
	readonly nextRequestDelay: number | 'reset' | 'outage' = $derived.by(() => {
		if (this.outage.isActive) return 'outage';
		const { resources } = this.client;
		// The resource client is not reactive. Its values change with the gauges and with time.
		const isReactive = this.rateLimits.gauges.length + this.clock.now > 0;
		const retryAt = resources.retryAt.blockedUntil(patterns.character, this.serverNow());
		if (isReactive && retryAt !== undefined) return 'reset';
		return this.preferences.value.throttle ? resources.delay(patterns.character) : 0;
	});

	/** Starts all that the page does by itself. Returns a function that ends it. */
	start(): () => void {
		const ends = [this.users, this.rateLimits, this.log].map((part) => part.start());
		ends.push(this.clock.start(() => this.#everySecond()));
		void this.signIn.prepare();
		return () => {
			this.loadTest.stop();
			for (const end of ends) end();
		};
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
		this.isSigningOutUser = true;
		this.signOutError = undefined;
		try {
			await endServiceSession(this.client.urls.account);
			await this.polling.startAway(user, name);
		} catch (thrown) {
			this.signOutError = toClientError(thrown);
		} finally {
			this.isSigningOutUser = false;
		}
	}

	#everySecond(): void {
		void this.outage.tick();
		this.lookup.tick();
		if (this.users.isLoaded) void this.polling.tick(this.users.list);
		this.#refreshIfNeeded();
	}

	/** Refreshes the active user's access token in time, and notices when online access ends. */
	#refreshIfNeeded(): void {
		const user = this.users.active;
		if (user === undefined || user.ended !== null || this.outage.isActive) return;
		const now = this.serverNow();
		const mustWait = user.refresh_token !== null && now < user.retryAt;
		if (needsRefresh(user, now) && !mustWait) this.client.tokens.getAccessToken(user.id).catch(toClientError);
	}
}
