import { characterViewer } from '#client/demo-clients.ts';
import { handleCallback, type CallbackOptions } from '#client/oauth/authorization-response.ts';
import { startAuthorization, type AuthorizationOptions } from '#client/oauth/authorization-request.ts';
import type { ClientRegistration } from '#client/oauth/client-registration.ts';
import type { OAuthEvent } from '#client/oauth/events.ts';
import { createMemoryLock } from '#client/oauth/lock.ts';
import { PendingAuthorizations, type PendingAuthorization } from '#client/oauth/pending-authorizations.ts';
import { createProvider } from '#client/oauth/provider.ts';
import { MemoryStore } from '#client/oauth/atomic-store.ts';
import { TokenEndpoint, type TokenEndpointOptions } from '#client/oauth/token-endpoint.ts';
import { TokenManager, type TokenManagerOptions } from '#client/oauth/token-manager.ts';
import type { TokenSet } from '#client/oauth/token-store.ts';
import { xmlTokenParser } from '#client/oauth/token-response.ts';
import { ResourceClient, type ResourceClientOptions } from '#client/rate-limit/resource-client.ts';
import { offline, parseXml } from '../test-browser.ts';
import { TestService } from '../test-service.ts';

/** The copyable core at the real service, without a page. */
export class TestCore {
	readonly service: TestService;
	readonly events: OAuthEvent[] = [];
	readonly pendingStore: MemoryStore<PendingAuthorization>;
	readonly store = new MemoryStore<TokenSet>();
	readonly lock = createMemoryLock();
	readonly provider;
	readonly registration: ClientRegistration;
	readonly tokenEndpoint: TokenEndpoint;
	readonly tokens: TokenManager;
	readonly onEvent = (event: OAuthEvent) => void this.events.push(event);
	readonly now = () => this.service.time + this.service.ahead;

	constructor(
		service = new TestService(),
		changes: {
			registration?: ClientRegistration;
			pendingStore?: MemoryStore<PendingAuthorization>;
			format?: TokenEndpointOptions['format'];
		} = {}
	) {
		this.service = service;
		this.provider = createProvider(service.baseUrl);
		this.registration = changes.registration ?? characterViewer(service.baseUrl);
		this.pendingStore = changes.pendingStore ?? new MemoryStore();
		this.tokenEndpoint = new TokenEndpoint(this.provider, this.registration, {
			fetch: service.fetch,
			format: changes.format ?? (() => 'json'),
			parseXml: xmlTokenParser(parseXml),
			now: this.now,
			onEvent: this.onEvent
		});
		this.tokens = this.createTokenManager();
	}

	/** Another tab, or another process, with the same store and lock. */
	createTokenManager(changes: Partial<TokenManagerOptions> = {}): TokenManager {
		const { store, tokenEndpoint, lock, now, onEvent } = this;
		return new TokenManager({ store, tokenEndpoint, lock, now, onEvent, random: () => 0, ...changes });
	}

	createResourceClient(options: Partial<ResourceClientOptions> = {}): ResourceClient {
		const { fetch, baseUrl } = this.service;
		return new ResourceClient({ baseUrl, tokens: this.tokens, fetch, now: this.now, ...options });
	}

	pending(browserSession = 'tab-1'): PendingAuthorizations {
		return new PendingAuthorizations(this.pendingStore, { browserSession, now: () => this.service.time });
	}

	/** Starts a sign-in. Returns the authorization URL and its state. */
	async start(options: AuthorizationOptions = offline, browserSession?: string): Promise<{ url: URL; state: string }> {
		const url = await startAuthorization(this.provider, this.registration, options, this.pending(browserSession));
		return { url, state: url.searchParams.get('state') ?? '' };
	}

	callback(params: URLSearchParams | Record<string, string>, browserSession?: string, options: CallbackOptions = {}) {
		const all = new URLSearchParams(params);
		return handleCallback(all, this.pending(browserSession), this.tokenEndpoint, {
			now: this.now,
			onEvent: this.onEvent,
			...options
		});
	}

	/** Signs a user in, from the authorization request to the saved tokens. */
	async signIn(options: AuthorizationOptions = offline, username = 'player-one'): Promise<TokenSet> {
		const { url } = await this.start(options);
		const tokenSet = await this.callback(await this.service.approve(url, { username }));
		return this.tokens.save(tokenSet);
	}
}
