import { automaticRequest } from '#api/headers.ts';
import { Emitter } from '#client/emitter.ts';
import { createFetch, type Outcome } from '#client/http.ts';
import {
	type AuthorizationOptions,
	type FlowSecrets,
	startAuthorization
} from '#client/oauth/authorization-request.ts';
import type { CallbackOptions } from '#client/oauth/authorization-response.ts';
import type { ClientRegistration } from '#client/oauth/client-registration.ts';
import { ClientError, toClientError } from '#client/oauth/client-error.ts';
import type { OAuthEvent } from '#client/oauth/events.ts';
import { PendingAuthorizations } from '#client/oauth/pending-authorizations.ts';
import { createProvider, type Provider } from '#client/oauth/provider.ts';
import { type RevocationResult, revokeAndDelete } from '#client/oauth/revocation.ts';
import { type Fetch, sendRequest } from '#client/oauth/send-request.ts';
import type { TokenEndpoint } from '#client/oauth/token-endpoint.ts';
import { TokenManager } from '#client/oauth/token-manager.ts';
import { isObject, parseJson } from '#client/rate-limit/json-value.ts';
import type { RateLimitEvent } from '#client/rate-limit/rate-limit-event.ts';
import { ResourceClient } from '#client/rate-limit/resource-client.ts';
import { RetryAt } from '#client/rate-limit/retry-at.ts';
import type { TrackedRateLimit } from '#client/rate-limit/tracker.ts';
import { ServerClock } from '#client/server-clock.ts';
import { serviceUrls, type ServiceUrls } from '#client/service-urls.ts';
import { pendingStore, UserStore } from '#client/storage/user-store.ts';
import { BrowserSettings } from '#client/storage/settings.svelte.ts';
import { TabState } from '#client/storage/tab-state.svelte.ts';
import { addressHeaders } from '#client/virtual-address.svelte.ts';
import type { World } from '#client/world.ts';
import { type XmlParser, xmlToJson } from '#client/xml-to-json.ts';
import { entry, EventLog, logCoreEvent, logOutcome, logRequest, previewsOf } from './event-log.svelte.ts';
import type { Lock } from '#client/oauth/lock.ts';
import type { SharedStorage } from '#client/storage/shared-storage.ts';
import type { TextStorage } from '#client/storage/web-storage.ts';

/** A client of one service, composed of the OAuth core, the rate limit core, storage and the event log. */
export class ViewerClient {
	readonly baseUrl: string;
	readonly world: World;
	readonly environment: Environment;
	readonly urls: ServiceUrls;
	readonly provider: Provider;
	readonly log: EventLog;
	readonly clock: ServerClock;
	readonly settings: BrowserSettings;
	readonly tab: TabState;
	readonly users: UserStore;
	readonly tokens: TokenManager;
	readonly resources: ResourceClient;
	readonly requestEnded = new Emitter<Outcome>();
	readonly rateLimitUpdated = new Emitter<TrackedRateLimit>();
	readonly #registration: ClientRegistration;
	readonly #pending: PendingAuthorizations;
	readonly #fetch: Fetch;
	readonly #tokenPreviews = new Map<string, readonly string[]>();

	/**
	 * @param baseUrl of the service, without a trailing slash
	 * @param world of the service
	 * @param registration used unless the user has entered other credentials
	 */
	constructor(baseUrl: string, world: World, environment: Environment, registration: ClientRegistration) {
		const { storage, tabStorage, namespace, browserSession, lock, now, random } = environment;
		this.baseUrl = baseUrl;
		this.world = world;
		this.environment = environment;
		this.#registration = registration;
		this.urls = serviceUrls(baseUrl);
		this.provider = createProvider(baseUrl);
		this.settings = new BrowserSettings(storage, baseUrl);
		this.tab = new TabState(tabStorage, `${namespace} ${baseUrl}`);
		this.users = new UserStore(storage, baseUrl);
		this.clock = new ServerClock(now, (clockOffset, difference) => {
			void this.settings.update({ clockOffset });
			if (difference !== 0) this.#logClockChange(difference);
		});
		const serverNow = () => this.clock.now();
		this.log = new EventLog(serverNow);
		this.#fetch = createFetch({
			...environment,
			headers: () => addressHeaders(environment.virtualAddress()),
			onRequest: (request) => {
				const complete = this.log.emit(logRequest(request));
				return (outcome, duration) => {
					if (outcome.kind === 'response') this.clock.update(outcome.headers.get('date'));
					// The first response is the first to tell the service's time.
					complete({ ...logOutcome(outcome, duration), at: Math.round(serverNow() - duration) });
					this.requestEnded.emit(outcome);
				};
			}
		});
		this.#pending = new PendingAuthorizations(pendingStore(storage), { browserSession, now });
		this.tokens = new TokenManager({
			store: this.users,
			lock,
			now: serverNow,
			random,
			onEvent: (event) => this.#onEvent(event),
			tokenEndpoint: { refresh: async (refreshToken) => (await this.#tokenEndpoint()).refresh(refreshToken) },
			sharesRefreshes: () => this.settings.value.shareRefresh
		});
		this.resources = new ResourceClient({
			baseUrl,
			tokens: this.tokens,
			fetch: this.#fetch,
			now: serverNow,
			retryAt: new RetryAt(random),
			sleep: environment.sleep,
			onEvent: (event) => this.#onEvent(event),
			parseXml: (text) => {
				const root = environment.parseXml(text);
				return root && xmlToJson(root);
			},
			throttle: () => this.settings.value.throttle
		});
	}

	/** Restores what was stored before a reload. Call it once, before the page is shown. */
	async restore(): Promise<void> {
		const { onPageHide, storage } = this.environment;
		await this.settings.load();
		this.clock.setOffset(this.settings.value.clockOffset);
		this.log.restore(this.tab.readEvents());
		onPageHide(() => this.tab.writeEvents(this.log.events));
		storage.subscribe(() => void this.settings.load().catch(toClientError));
	}

	/** The client's registration, with the credentials that the user has entered. */
	get registration(): ClientRegistration {
		return { ...this.#registration, ...this.settings.value.credentials };
	}

	/** Whether `/ratelimiting` says so, which also responds to blacklisted clients (section 8.5). */
	async isBlacklisted(): Promise<boolean> {
		const headers = { ...automaticRequest, accept: 'application/json' };
		try {
			const status = parseJson((await sendRequest(this.#fetch, this.urls.ratelimiting, { headers })).text);
			return isObject(status) && status.state === 'blacklisted';
		} catch (thrown) {
			toClientError(thrown);
			return false;
		}
	}

	/** Starts a sign-in. Returns the URL to send the user to. */
	async startAuthorization(options: AuthorizationOptions, secrets: FlowSecrets): Promise<URL> {
		const url = await startAuthorization(this.provider, this.registration, options, this.#pending, secrets);
		const event = { type: 'authorization_started', issuer: this.baseUrl, scope: options.scope } as const;
		this.#onEvent(event, previewsOf(url.searchParams.get('state')));
		return url;
	}

	/** The state of the sign-in that this tab started last and whose response has not arrived; undefined: there is none. */
	async expectedState(): Promise<string | undefined> {
		const { storage, browserSession } = this.environment;
		const pending = await storage.get('pending');
		return pending.findLast((one) => one.issuer === this.baseUrl && one.browserSession === browserSession && !one.used)
			?.state;
	}

	/**
	 * Handles the authorization response and saves the tokens.
	 * @returns id of the user
	 * @throws {ClientError} as `handleCallback`
	 */
	async handleCallback(
		params: URLSearchParams,
		codeSource: CallbackOptions['codeSource'] = 'redirect'
	): Promise<string> {
		const result = { userId: '', code: '', description: '' };
		this.tab.set({ callbackResult: { ...result, status: 'exchanging' } });
		try {
			const isChecked = codeSource === 'manual' || this.settings.value.checkState;
			const accepted = isChecked ? params : await this.#accept(params);
			const previews = previewsOf(accepted.get('state'), accepted.get('code'));
			const onEvent = (event: OAuthEvent) => {
				if (accepted !== params && event.type === 'state_verified') this.log.emit(entry('State not checked', '2.1'));
				else this.#onEvent(event, previews);
			};
			const options = { codeSource, now: () => this.clock.now(), onEvent };
			const { handleCallback } = await import('#client/oauth/authorization-response.ts');
			const endpoint = await this.#tokenEndpoint(onEvent);
			const tokenSet = await handleCallback(accepted, this.#pending, endpoint, options);
			const { id } = await this.tokens.save(tokenSet);
			this.tab.set({ callbackResult: { ...result, status: 'signed_in', userId: id } });
			return id;
		} catch (thrown) {
			const { code, message, status, requestId } = toClientError(thrown);
			const response = {
				...(status === undefined ? {} : { httpStatus: status }),
				...(requestId === undefined ? {} : { requestId })
			};
			this.tab.set({ callbackResult: { ...result, status: 'failed', code, description: message, ...response } });
			throw thrown;
		}
	}

	/**
	 * How the last sign-in of this tab ended, for a callback page that is opened without a response.
	 * @returns id of the user; undefined: there was no sign-in
	 * @throws {ClientError} the error that it failed with, or `exchange_interrupted`
	 */
	lastCallbackResult(): string | undefined {
		const result = this.tab.value.callbackResult;
		if (result?.status === 'exchanging') throw new ClientError('exchange_interrupted');
		if (result?.status === 'failed') {
			const { code, description, httpStatus, requestId } = result;
			throw new ClientError(code, description, { status: httpStatus, requestId });
		}
		return result?.userId;
	}

	/** Revokes a user's access and deletes the tokens. */
	signOut(userId: string): Promise<RevocationResult> {
		return revokeAndDelete(userId, this.tokens, this.provider, {
			fetch: this.#fetch,
			client_secret: this.registration.client_secret,
			onEvent: (event) => this.#onEvent(event)
		});
	}

	/** Loads the OAuth library, which the page does not need before a sign-in. */
	async #tokenEndpoint(onEvent = (event: OAuthEvent) => this.#onEvent(event)): Promise<TokenEndpoint> {
		const { TokenEndpoint } = await import('#client/oauth/token-endpoint.ts');
		const { xmlTokenParser } = await import('#client/oauth/token-response.ts');
		return new TokenEndpoint(this.provider, this.registration, {
			fetch: this.#fetch,
			format: () => this.settings.value.tokenFormat,
			now: () => this.clock.now(),
			parseXml: xmlTokenParser(this.environment.parseXml),
			onEvent
		});
	}

	/** As `acceptUninvited`, which few demonstrations need. */
	async #accept(params: URLSearchParams): Promise<URLSearchParams> {
		const { acceptUninvited } = await import('./accept-uninvited.ts');
		return acceptUninvited(params, this.#pending, this);
	}

	/** @param previews of the values that the event is about; those of its token set by default */
	#onEvent(event: OAuthEvent | RateLimitEvent, previews: readonly string[] = []): void {
		if (event.type === 'rate_limit_updated') this.rateLimitUpdated.emit(event.rateLimit);
		const logged = logCoreEvent(event);
		if (logged === undefined) return;
		const complete = this.log.emit({ ...logged, type: event.type, previews });
		if ('tokenSetId' in event)
			void this.#previewTokens(event.tokenSetId).then((found) => complete({ previews: found }), toClientError);
	}

	/** An ended token set has no tokens left, so its last ones are remembered. */
	async #previewTokens(tokenSetId: string): Promise<readonly string[]> {
		const user = await this.users.get(tokenSetId);
		const previews = previewsOf(user?.access_token, user?.refresh_token);
		if (previews.length === 0) return this.#tokenPreviews.get(tokenSetId) ?? [];
		this.#tokenPreviews.set(tokenSetId, previews);
		return previews;
	}

	#logClockChange(difference: number): void {
		const direction = difference > 0 ? 'forward' : 'back';
		const seconds = Math.round(Math.abs(difference) / 1000);
		this.log.emit(entry(`Server clock moved ${direction} ${String(seconds)} s`, '8.4'));
	}
}

/** What the page needs of its browser. Tests pass their own. */
export type Environment = {
	readonly storage: SharedStorage;
	/** Whether `storage` survives the page. */
	readonly isPersistent: boolean;
	readonly tabStorage: TextStorage;
	/** Prefix of the keys in `tabStorage`. */
	readonly namespace: string;
	/** Identifies the tab, also after a reload. Unguessable. */
	readonly browserSession: string;
	readonly lock: Lock;
	readonly fetch: Fetch;
	/** The virtual address that requests count for; empty: the network address. */
	readonly virtualAddress: () => string;
	readonly parseXml: XmlParser;
	/** This machine's clock, in milliseconds since 1970. */
	readonly now: () => number;
	/** A signal that aborts after this number of milliseconds. */
	readonly timeout: (milliseconds: number) => AbortSignal;
	/** A number from 0 up to 1. */
	readonly random: () => number;
	readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
	/** Calls `save` whenever the page may be about to close. */
	readonly onPageHide: (save: () => void) => void;
};
