import type { Mistake } from './mutants.ts';
import type { ClientSettings, PageResponse, Session } from './reference-client.ts';
import type { ReferenceTokens, Tokens } from './reference-tokens.ts';

const cacheTime = 60_000;
const silencesBeforeCheck = 2;
const checkInterval = 5000;
const signInFirst: PageResponse = { status: 401, body: 'Sign in first.' };
const tryLater: PageResponse = { status: 503, body: 'The service is busy. Try again later.' };

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

type Cached = { readonly response: PageResponse; readonly until: number };

/** The resource requests of the reference client, with its cache and its respect for the limits. */
export class ReferenceCalls {
	readonly #settings: ClientSettings;
	readonly #tokens: ReferenceTokens;
	readonly #has: (mistake: Mistake) => boolean;
	/** By the tokens of the browser, and by target. */
	readonly #cache = new WeakMap<Tokens, Map<string, Cached>>();
	readonly #running = new WeakMap<Tokens, Map<string, Promise<PageResponse>>>();
	/** No request is sent before, in milliseconds since 1970. */
	#blockedUntil = 0;
	/** How many requests in a row got no response. */
	#silences = 0;
	#checkedAt = -Infinity;

	constructor(settings: ClientSettings, tokens: ReferenceTokens, has: (mistake: Mistake) => boolean) {
		this.#settings = settings;
		this.#tokens = tokens;
		this.#has = has;
	}

	/** Reads a character for a browser. Equal requests at the same time are one. */
	async read(session: Session, name: string): Promise<PageResponse> {
		const { tokens } = session;
		if (tokens === undefined) return signInFirst;
		const target = `/ws/v2.0/character/${this.#encode(name)}`;
		const cached = this.#cache.get(tokens)?.get(target);
		if (cached !== undefined && cached.until > Date.now() && !this.#has('no cache')) return cached.response;
		if (Date.now() < this.#blockedUntil && !this.#has('ignores the limit')) return tryLater;
		if (await this.#isBlacklisted()) return tryLater;
		const running = this.#running.get(tokens) ?? new Map<string, Promise<PageResponse>>();
		this.#running.set(tokens, running);
		const request = running.get(target) ?? this.#read(session, tokens, target).finally(() => running.delete(target));
		if (!this.#has('no cache')) running.set(target, request);
		return request;
	}

	async #read(session: Session, tokens: Tokens, target: string): Promise<PageResponse> {
		try {
			const response = await this.#withFreshToken(tokens, target);
			if (response.status === 401) return signInFirst;
			if (response.status >= 500) return tryLater;
			const result = { status: response.status, body: await response.text() };
			if (response.ok) this.#remember(tokens, target, result);
			return result;
		} catch (error) {
			this.#tokens.forgetAfter(error, session);
			return session.tokens === undefined ? signInFirst : tryLater;
		}
	}

	/** Sends a request. At 401 it refreshes once and sends it again. */
	async #withFreshToken(tokens: Tokens, target: string): Promise<Response> {
		const refreshes = this.#has('refreshes again at each 401') ? 5 : 1;
		let token = await this.#tokens.fresh(tokens);
		let response = await this.#sendWithRetry(tokens, token, target);
		for (let count = 0; count < refreshes && this.#needsToken(response) && tokens.refresh !== undefined; count += 1) {
			// Another request may have refreshed since.
			if (token === tokens.access || this.#has('refreshes without a lock')) await this.#tokens.refresh(tokens);
			if (token === tokens.access) break;
			token = tokens.access;
			response = await this.#sendWithRetry(tokens, token, target);
		}
		return response;
	}

	#needsToken({ status }: Response): boolean {
		if (status === 403) return this.#has('refreshes at 403');
		if (status === 400) return this.#has('refreshes at 400');
		return status === 401;
	}

	/** Sends a request, at an error of the server again after growing pauses. */
	async #sendWithRetry(tokens: Tokens, token: string, target: string): Promise<Response> {
		for (let count = 1; ; count += 1) {
			const response = await this.#sendUnlessSilent(tokens, token, target);
			const isRefused = response.status === 400 && this.#has('repeats refused calls') && count < 30;
			const hasPause = !this.#has('repeats without a pause') && !isRefused;
			if (!isRefused && (response.status < 500 || count === (hasPause ? 3 : 10))) return response;
			await sleep(hasPause ? 500 * 2 ** count * (1 + Math.random()) : 20);
		}
	}

	async #sendUnlessSilent(tokens: Tokens, token: string, target: string): Promise<Response> {
		for (let left = this.#has('repeats without a response') ? 12 : 0; ; left -= 1) {
			try {
				const response = await this.#send(tokens, token, target);
				this.#silences = 0;
				return response;
			} catch (error) {
				this.#silences += 1;
				if (left === 0) throw error;
			}
		}
	}

	async #send(tokens: Tokens, token: string, target: string): Promise<Response> {
		const { baseUrl, clientSecret, fetch: send = fetch } = this.#settings;
		const url = new URL(baseUrl + target);
		const credential = this.#has('calls with the refresh token') ? (tokens.refresh ?? token) : token;
		if (this.#has('secret in the URL of a call')) url.searchParams.set('client_secret', clientSecret);
		if (this.#has('token in the URL')) url.searchParams.set('access_token', credential);
		const headers: Record<string, string> = { accept: 'application/json' };
		if (!this.#has('token in the URL')) headers.authorization = `OAuth ${credential}`;
		const response = await send(url, { headers });
		this.#noteLimit(response);
		return response;
	}

	/** Stops all calls where none is left in the window, until a second after its reset. */
	#noteLimit({ headers }: Response): void {
		const reset = headers.get('x-ratelimit-reset');
		if (headers.get('x-ratelimit-remaining') !== '0' || reset === null) return;
		const wait = Number(reset) * 1000 - Date.parse(headers.get('date') ?? '') + 1000;
		this.#blockedUntil = Date.now() + (this.#has('waits two seconds at the limit') ? 2000 : wait);
	}

	/** Whether the service stopped responding to this address. It is asked at most once in five seconds. */
	async #isBlacklisted(): Promise<boolean> {
		if (this.#silences < silencesBeforeCheck || this.#has('repeats without a response')) return false;
		if (Date.now() - this.#checkedAt < checkInterval) return true;
		this.#checkedAt = Date.now();
		const { baseUrl, fetch: send = fetch } = this.#settings;
		try {
			const response = await send(`${baseUrl}/ratelimiting`, { headers: { accept: 'application/json' } });
			const status: unknown = await response.json();
			if (typeof status !== 'object' || status === null || !('state' in status) || status.state === 'blacklisted')
				return true;
			this.#silences = 0;
			return false;
		} catch {
			return true;
		}
	}

	#remember(tokens: Tokens, target: string, response: PageResponse): void {
		const cache = this.#cache.get(tokens) ?? new Map<string, Cached>();
		this.#cache.set(tokens, cache);
		cache.set(target, { response, until: Date.now() + cacheTime });
	}

	#encode(name: string): string {
		const encoded = encodeURIComponent(name);
		return this.#has('encodes names twice') ? encodeURIComponent(encoded) : encoded;
	}
}
