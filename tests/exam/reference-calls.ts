import type { ClientSettings, PageResponse, Session, Trait } from './reference-client.ts';
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
	readonly #has: (trait: Trait) => boolean;
	/** By the tokens of the browser, and by target. */
	readonly #cache = new WeakMap<Tokens, Map<string, Cached>>();
	/** By target, for a client whose users share it. */
	readonly #sharedCache = new Map<string, Cached>();
	readonly #running = new WeakMap<Tokens, Map<string, Promise<PageResponse>>>();
	/** By target: what was read last. */
	readonly #last = new Map<string, PageResponse>();
	/** No request is sent before, in milliseconds since 1970. */
	#blockedUntil = 0;
	/** How many requests in a row got no response. */
	#silences = 0;
	#checkedAt = -Infinity;
	/** Of decorrelated jitter. */
	#latestPause = 50;
	/** The latest of the calls that wait for each other. */
	#queue: Promise<unknown> = Promise.resolve();

	constructor(settings: ClientSettings, tokens: ReferenceTokens, has: (trait: Trait) => boolean) {
		this.#settings = settings;
		this.#tokens = tokens;
		this.#has = has;
	}

	/** Reads a character for a browser. Equal requests at the same time are one. */
	async read(session: Session, name: string): Promise<PageResponse> {
		const { tokens } = session;
		if (tokens === undefined) return signInFirst;
		const target = `/ws/v2.0/character/${this.#encode(name)}`;
		const cached = this.#cacheOf(tokens).get(target);
		if (cached !== undefined && cached.until > Date.now() && !this.#has('no cache')) return cached.response;
		if (this.#has('waits until the limit is over')) await sleep(Math.max(0, this.#blockedUntil - Date.now()));
		if (Date.now() < this.#blockedUntil && !this.#has('ignores the limit')) {
			if (this.#has('asks for the limits at the limit')) await this.#askForLimits(tokens);
			return tryLater;
		}
		if (await this.#isBlacklisted()) return tryLater;
		const running = this.#running.get(tokens) ?? new Map<string, Promise<PageResponse>>();
		this.#running.set(tokens, running);
		const isLater = this.#has('calls two seconds later in the background');
		if (isLater) await sleep(0);
		const request =
			running.get(target) ??
			this.#readLater(isLater ? 2000 : 0, session, tokens, target).finally(() => running.delete(target));
		if (!this.#has('no cache')) running.set(target, request);
		if (isLater || this.#has('calls in the background')) {
			request.catch(() => undefined);
			return { status: 202, body: 'The character is being read. Reload this page.' };
		}
		return request;
	}

	async #readLater(pause: number, session: Session, tokens: Tokens, target: string): Promise<PageResponse> {
		if (pause > 0) {
			await sleep(pause);
			if (session.tokens === undefined) return signInFirst;
			if (Date.now() < this.#blockedUntil) return tryLater;
		}
		const response = await this.#read(session, tokens, target);
		const last = this.#last.get(target);
		if (response.status === 200) this.#last.set(target, response);
		return response.status >= 500 && last !== undefined && this.#has('shows what it read last') ? last : response;
	}

	async #read(session: Session, tokens: Tokens, target: string): Promise<PageResponse> {
		if (!this.#has('one call at a time') && !this.#has('one call a second'))
			return this.#readNow(session, tokens, target);
		const turn = this.#queue.then(() =>
			Date.now() < this.#blockedUntil ? tryLater : this.#readNow(session, tokens, target)
		);
		this.#queue = turn.then(() => sleep(this.#has('one call a second') ? 1000 : 200));
		return turn;
	}

	async #readNow(session: Session, tokens: Tokens, target: string): Promise<PageResponse> {
		const { access } = tokens;
		try {
			const response = await this.#withFreshToken(tokens, target);
			if (this.#has('refreshes after every call')) await this.#tokens.refresh(tokens);
			if (response.status === this.#limitStatus && this.#has('forgets tokens at the limit')) session.tokens = undefined;
			if (response.status === 401) return signInFirst;
			if (response.status >= 500) return tryLater;
			const result = { status: response.status, body: await response.text() };
			if (response.ok) this.#remember(tokens, target, result);
			return result;
		} catch (error) {
			this.#tokens.forgetAfter(error, session);
			return session.tokens === undefined ? signInFirst : tryLater;
		} finally {
			if (this.#has('forgets the new access token')) tokens.access = access;
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

	/** The status of a call over the limit. */
	get #limitStatus(): number {
		return this.#settings.dialect === 'standard' ? 429 : 400;
	}

	#needsToken({ status }: Response): boolean {
		if (this.#has('refreshes at every error')) return status >= 400;
		if (status === 503) return this.#has('refreshes at 503');
		if (status === 403) return this.#has('refreshes at 403');
		if (status === this.#limitStatus) return this.#has('refreshes at the limit');
		if (status === 404) return this.#has('refreshes at 404');
		return status === 401 && !this.#has('refreshes by its clock only');
	}

	/** Sends a request, at an error of the server again after growing pauses. */
	async #sendWithRetry(tokens: Tokens, token: string, target: string): Promise<Response> {
		for (let count = 1; ; count += 1) {
			const response = await this.#sendUnlessSilent(tokens, token, target);
			const isRejected = response.status === this.#limitStatus && this.#has('repeats rejected calls') && count < 30;
			const hasPause = !this.#has('repeats without a pause') && !isRejected;
			const usual = this.#has('four retries with growing pauses') ? 5 : 3;
			const isEndless = this.#has('repeats without an end');
			if (
				!isRejected &&
				(response.status < 500 || (this.#jitter(1) === undefined && count === (isEndless ? 50 : hasPause ? usual : 10)))
			)
				return response;
			const jittered = this.#jitter(count);
			if (jittered !== undefined) {
				if (count === (this.#has('retries with a ceiling of a minute') ? 6 : 11)) return response;
				await sleep(jittered);
				continue;
			}
			const pause = isEndless
				? 1000
				: (this.#has('four retries with growing pauses') ? 250 : 500) * 2 ** count * (1 + Math.random());
			await sleep(hasPause ? pause : 20);
		}
	}

	/** The pause of a client with jitter before a retry, in milliseconds, or of one without any. Undefined: it has other pauses. */
	#jitter(count: number): number | undefined {
		if (this.#has('repeats at once')) return 0;
		if (this.#has('repeats with a fixed pause')) return 100;
		if (this.#has('retries with a ceiling of a minute'))
			return Math.random() * Math.min(60_000, 1000 * 2 ** (count - 1));
		const most = Math.min(8000, 50 * 2 ** (count - 1));
		if (this.#has('retries with full jitter')) return Math.random() * most;
		if (this.#has('retries with equal jitter')) return (most / 2) * (1 + Math.random());
		if (!this.#has('retries with decorrelated jitter')) return undefined;
		if (count === 1) this.#latestPause = 50;
		return (this.#latestPause = Math.min(8000, 50 + Math.random() * (3 * this.#latestPause - 50)));
	}

	async #sendUnlessSilent(tokens: Tokens, token: string, target: string): Promise<Response> {
		const isPatient = this.#has('three tries of a call without a response');
		for (let left = this.#has('repeats without a response') ? 12 : isPatient ? 2 : 0; ; left -= 1) {
			try {
				const response = await this.#send(tokens, token, target);
				this.#silences = 0;
				return response;
			} catch (error) {
				this.#silences += 1;
				if (left === 0) throw error;
				if (isPatient) await sleep(1200 / left);
			}
		}
	}

	async #send(tokens: Tokens, token: string, target: string): Promise<Response> {
		const { baseUrl, clientSecret, dialect, fetch: send = fetch } = this.#settings;
		const url = new URL(baseUrl + target);
		const credential = this.#has('calls with the refresh token') ? (tokens.refresh ?? token) : token;
		if (this.#has('secret in the URL of a call')) url.searchParams.set('client_secret', clientSecret);
		if (this.#has('token in the URL')) url.searchParams.set('access_token', credential);
		if (this.#has('token in a parameter for logs')) url.searchParams.set('trace', credential);
		const headers: Record<string, string> = { accept: 'application/json' };
		if (this.#has('secret in a header of a call')) headers['x-client-secret'] = clientSecret;
		if (this.#has('secret as the key of a call')) headers['x-api-key'] = clientSecret;
		if (!this.#has('token in the URL'))
			headers.authorization = `${dialect === 'standard' ? 'Bearer' : 'OAuth'} ${credential}`;
		if (this.#has('reads the limits before each call')) await send(`${baseUrl}/ws/v2.0/ratelimits`, { headers });
		if (this.#has('token in the URL of the limits')) await send(`${baseUrl}/ws/v2.0/ratelimits?access_token=${token}`);
		const response = await (this.#settings.library?.call?.(token, url) ?? send(url, { headers }));
		this.#noteLimit(response);
		const isRepeated =
			(response.status === 403 && this.#has('repeats calls at 403')) ||
			(response.status === 401 && this.#has('repeats calls at 401'));
		for (let count = 0; count < 10 && isRepeated; count += 1) await send(url, { headers });
		return response;
	}

	async #askForLimits({ access }: Tokens): Promise<void> {
		const { baseUrl, dialect, fetch: send = fetch } = this.#settings;
		const authorization = `${dialect === 'standard' ? 'Bearer' : 'OAuth'} ${access}`;
		await send(`${baseUrl}/ws/v2.0/ratelimits`, { headers: { authorization } }).catch(() => undefined);
	}

	/** Stops all calls where none is left in the window, until a second after its reset. */
	#noteLimit({ status, headers }: Response): void {
		const seconds = headers.get('retry-after');
		if (this.#settings.dialect === 'standard') {
			if (status !== 429 || seconds === null) return;
			const date = Date.parse(seconds) - Date.parse(headers.get('date') ?? '');
			const isDate = Number.isNaN(Number(seconds)) && !this.#has('Retry-After as seconds only');
			const pause = isDate ? date : Number(seconds) * 1000;
			this.#blockedUntil = Date.now() + this.#pauseAtLimit(pause);
			return;
		}
		const reset = headers.get('x-ratelimit-reset');
		if (headers.get('x-ratelimit-remaining') !== '0' || reset === null) return;
		const end = this.#has('reset as seconds from now') ? Date.now() + Number(reset) * 1000 : Number(reset) * 1000;
		const wait = end - Date.parse(headers.get('date') ?? '') + 1000;
		this.#blockedUntil = Date.now() + this.#pauseAtLimit(wait);
	}

	#pauseAtLimit(pause: number): number {
		if (this.#has('waits half of the time at the limit')) return pause / 2;
		return this.#has('waits two seconds at the limit') ? 2000 : pause;
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

	#cacheOf(tokens: Tokens): Map<string, Cached> {
		if (this.#has('one cache for all users')) return this.#sharedCache;
		const cache = this.#cache.get(tokens) ?? new Map<string, Cached>();
		this.#cache.set(tokens, cache);
		return cache;
	}

	#remember(tokens: Tokens, target: string, response: PageResponse): void {
		const until = Date.now() + (this.#has('short cache') ? cacheTime / 3 : cacheTime);
		this.#cacheOf(tokens).set(target, { response, until });
	}

	#encode(name: string): string {
		const encoded = encodeURIComponent(name);
		if (this.#has('encodes the percent sign twice')) return encoded.replaceAll('%25', '%2525');
		if (this.#has('plus for a space')) return encoded.replaceAll('%20', '+');
		return this.#has('encodes names twice') ? encodeURIComponent(encoded) : encoded;
	}
}
