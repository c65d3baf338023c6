import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DialectName } from '#api/dialect.ts';
import type { Habit } from './habits.ts';
import type { Mistake } from './mistakes.ts';
import { withBreaker } from './circuit-breaker.ts';
import { ReferenceCalls } from './reference-calls.ts';
import { errorPage, problemPage } from './reference-pages.ts';
import { ReferenceSignIns, type Kept, type Pending } from './reference-sign-ins.ts';
import { ReferenceTokens, type Tokens } from './reference-tokens.ts';

/** What makes a client differ from the reference client. */
export type Trait = Mistake | Habit;

/** What a client needs to know. */
export type ClientSettings = {
	/** Of the service, without a trailing slash. */
	readonly baseUrl: string;
	readonly clientId: string;
	readonly clientSecret: string;
	readonly redirectUri: string;
	/** What the client speaks. Default: `specification`. */
	readonly dialect?: DialectName;
	/** Default: none. */
	readonly mistakes?: readonly Mistake[];
	/** Default: none. */
	readonly habits?: readonly Habit[];
	/** Default: `fetch`. */
	readonly fetch?: typeof fetch;
	/** Does what the client does without it: the authorization request and the token requests. */
	readonly library?: Library;
};

/** An OAuth library, as an application uses it. A session is what the application knows about a browser until it has signed in. */
export type Library = {
	/** Begins a sign-in. Returns the URL of the authorization request. */
	readonly authorize: (session: LibrarySession) => Promise<string>;
	/** Compares the state, and exchanges the code. Rejects if one of them fails. */
	readonly exchange: (callback: URL, session: LibrarySession) => Promise<TokenFields>;
	readonly refresh: (token: string) => Promise<TokenFields>;
	/** Absent: the client sends calls without it. */
	readonly call?: (token: string, url: URL) => Promise<Response>;
};

export type LibrarySession = Record<string, unknown>;
/** A token response (section 2.4). */
export type TokenFields = { readonly [name: string]: unknown };

/** A request of a browser to a client. */
export type PageRequest = {
	/** Path and query. */
	readonly target: string;
	readonly cookie?: string | undefined;
	/** The body of a POST request. */
	readonly form?: string | undefined;
};

/** The response of a client to a browser. */
export type PageResponse = {
	readonly status: number;
	readonly body: string;
	/** Default: HTML. */
	readonly type?: string;
	readonly location?: string;
	/** The value of `Set-Cookie`. */
	readonly cookie?: string;
	readonly headers?: Readonly<Record<string, string>>;
};

/** What the client knows about one browser. */
export type Session = {
	pending?: Pending | undefined;
	/** All that are open, of a client that allows several. */
	several?: Map<string, Pending>;
	/** What a client makes once for a browser that should be new for each sign-in. */
	kept?: Kept;
	library?: LibrarySession | undefined;
	tokens?: Tokens | undefined;
	timer?: ReturnType<typeof setInterval>;
};

const random = (bytes: number) => randomBytes(bytes).toString('base64url');
const knownParameters = new Set(['code', 'state', 'iss', 'error', 'error_description', 'error_uri']);

/**
 * A web application that signs users in with Tollgate: `/login`, `/callback`, `/me?name=`, `/logout`. Without mistakes it is the
 * client that the exam must pass. It knows the service by HTTP only.
 */
export class ReferenceClient {
	readonly #settings: ClientSettings;
	readonly #has: (trait: Trait) => boolean;
	readonly #tokens: ReferenceTokens;
	readonly #calls: ReferenceCalls;
	readonly #sessions = new Map<string, Session>();
	readonly #signIns: ReferenceSignIns;
	#newest: Tokens | undefined;
	/** The tokens of each user, of a client that knows who signed in. */
	readonly #users = new Map<string, Tokens>();

	constructor(settings: ClientSettings) {
		const traits = new Set<Trait>([...(settings.mistakes ?? []), ...(settings.habits ?? [])]);
		this.#has = (trait) => traits.has(trait);
		if (traits.has('circuit breaker')) settings = { ...settings, fetch: withBreaker(settings.fetch ?? fetch) };
		this.#settings = settings;
		this.#signIns = new ReferenceSignIns(this.#has);
		this.#tokens = new ReferenceTokens(settings, this.#has);
		this.#calls = new ReferenceCalls(settings, this.#tokens, this.#has);
	}

	/** Responds to one request of a browser. */
	async handle({ target, cookie = '' }: PageRequest): Promise<PageResponse> {
		const url = new URL(target, 'http://localhost');
		const known = this.#sessions.get(/\bsid=([\w-]+)/.exec(cookie)?.[1] ?? '');
		const session: Session = known ?? {};
		const response = this.#withSecret(url, await this.#route(url, session));
		const isNew =
			this.#has('new session at the sign-in') && url.pathname === '/callback' && session.tokens !== undefined;
		if (known !== undefined && !isNew) return response;
		const id = random(24);
		for (const [old, one] of this.#sessions) if (one === session) this.#sessions.delete(old);
		this.#sessions.set(id, session);
		return { ...response, cookie: `sid=${id}; HttpOnly; SameSite=Lax; Path=/` };
	}

	/** What a client that shows its secret responds. */
	#withSecret({ pathname }: URL, response: PageResponse): PageResponse {
		const { clientSecret } = this.#settings;
		if (pathname === '/' && this.#has('secret in a page'))
			return { ...response, body: `<!doctype html><script>const settings = { secret: "${clientSecret}" };</script>` };
		if (pathname === '/me' && this.#has('secret in JSON'))
			return { ...response, type: 'application/json', body: JSON.stringify({ client_secret: clientSecret }) };
		if (pathname === '/me' && this.#has('secret in a header'))
			return { ...response, headers: { 'x-debug': clientSecret } };
		const isCallback = pathname === '/callback' && this.#has('secret in the address of a page');
		return isCallback ? { ...response, location: `/?debug=${clientSecret}` } : response;
	}

	#route(url: URL, session: Session): Promise<PageResponse> | PageResponse {
		// The redirect URI of an installed client has no path.
		const isCallback = url.searchParams.has('code') || url.searchParams.has('error');
		switch (url.pathname === '/' && isCallback ? '/callback' : url.pathname) {
			case '/login':
				return this.#signIn(session);
			case '/callback':
				return this.#callback(url, session);
			case '/me':
				return this.#read(session, url.searchParams.get('name') ?? 'Mara Vell');
			case '/complete':
				return this.#callback(url, session);
			case '/problem':
				return { status: 200, ...problemPage(url.searchParams) };
			case '/logout':
				return this.#signOut(session);
			case '/':
				return { status: 200, body: session.tokens === undefined ? 'Signed out' : 'Signed in' };
			default:
				return { status: 404, body: 'Not found' };
		}
	}

	async #read(session: Session, name: string): Promise<PageResponse> {
		const tokens = this.#has('one token for all users') ? this.#newest : session.tokens;
		if (tokens !== undefined) session.tokens = tokens;
		const response = await this.#calls.read(session, name);
		if (response.status === 403 && this.#has('deletes tokens at 403')) session.tokens = undefined;
		const isMissing =
			response.status === 401 &&
			(this.#has('signs in again where a sign-in is missing') || this.#has('signs in again in place of a refresh'));
		const isForbidden = response.status === 403 && this.#has('signs in again at 403');
		return isMissing || isForbidden ? { status: 303, location: '/login', body: '' } : response;
	}

	async #signIn(session: Session): Promise<PageResponse> {
		const { baseUrl, clientId, clientSecret, redirectUri, library, dialect = 'specification' } = this.#settings;
		if (library !== undefined)
			return { status: 303, location: await library.authorize((session.library = {})), body: '' };
		const pending = this.#signIns.begin(session);
		const query = new URLSearchParams({
			response_type: 'code',
			client_id: clientId,
			redirect_uri: this.#has('slash behind the redirect URI') ? `${redirectUri}/` : redirectUri,
			scope: this.#has('asks for writing') ? 'character_read character_write' : 'character_read'
		});
		if (this.#has('one store for each user')) {
			query.set('scope', 'openid character_read');
			query.set('nonce', random(24));
		}
		if (dialect === 'specification' && !this.#has('signs in again in place of a refresh'))
			query.set('access_type', 'offline');
		if (!this.#has('no state')) query.set('state', pending.state);
		if (pending.verifier !== undefined) {
			query.set('code_challenge', createHash('sha256').update(pending.verifier).digest('base64url'));
			query.set('code_challenge_method', this.#has('plain challenge') ? 'plain' : 'S256');
		}
		if (this.#has('secret in the authorization URL')) query.set('client_secret', clientSecret);
		if (this.#has('unknown parameters')) query.set('login_hint', 'user@example.test');
		const location = `${baseUrl}/ws/oauth2/auth/?${this.#has('pushes its requests') ? await this.#push(query) : query}`;
		if (this.#has('script opens the sign-in page')) {
			const headers = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
			await (this.#settings.fetch ?? fetch)(location, { headers, redirect: 'manual' });
		}
		return { status: 303, location, body: '' };
	}

	/** Pushes a request (RFC 9126). Returns what the URL of the browser has in its place. */
	async #push(query: URLSearchParams): Promise<URLSearchParams> {
		const { baseUrl, clientId, clientSecret, fetch: send = fetch } = this.#settings;
		const body = new URLSearchParams([...query, ['client_secret', clientSecret]]);
		const response = await send(`${baseUrl}/ws/oauth2/par`, { method: 'POST', body });
		const data: unknown = await response.json();
		const request_uri = typeof data === 'object' && data !== null && 'request_uri' in data ? data.request_uri : '';
		return new URLSearchParams({ client_id: clientId, request_uri: String(request_uri) });
	}

	async #callback({ searchParams: query, search }: URL, session: Session): Promise<PageResponse> {
		const { library } = this.#settings;
		if (library !== undefined) return this.#callbackOf(library, search, session);
		const pending = this.#signIns.take(query.get('state') ?? undefined, session);
		if (pending === undefined) {
			const state = this.#has('state as HTML') ? `: ${query.get('state')}` : '';
			return { status: 400, body: `This sign-in was not started here${state}. Sign in again.` };
		}
		if (!this.#tokens.isOfIssuer(query.get('iss')))
			return { status: 400, body: 'This is the response of another server.' };
		const unknown = [...query.keys()].some((name) => !knownParameters.has(name));
		if (this.#has('list of allowed parameters') && unknown) return { status: 400, body: 'Unexpected parameter' };
		if (query.has('error') && !this.#has('reads the code only')) {
			if (this.#has('starts again at a denial')) return { status: 303, location: '/login', body: '' };
			if (this.#has('error text in the address of a page'))
				return { status: 303, location: `/problem?${query}`, body: '' };
			return { status: 403, ...errorPage(query, this.#has) };
		}
		const code = this.#codeOf(query, search);
		if (code === undefined && !this.#has('reads the code only')) return { status: 400, body: 'There is no code.' };
		const tokens = await this.#tokens.exchange(code, pending.verifier, session.tokens);
		if (tokens === undefined && this.#has('signs in again after a failed exchange'))
			return { status: 303, location: '/login', body: '' };
		if (tokens === undefined) return { status: 502, body: 'The sign-in failed. Sign in again.' };
		if (!this.#has('keeps the first tokens of a browser')) session.tokens = undefined;
		if (this.#has('one store for each user')) session.tokens = this.#stored(tokens);
		session.tokens ??= tokens;
		if (this.#has('reads three characters after the sign-in'))
			for (const name of ['Mara Vell', 'Half/Life', '100% Orc'])
				void this.#calls.read(session, name).catch(() => undefined);
		if (this.#has('polls every five seconds')) this.#poll(session);
		this.#newest = tokens;
		if (this.#has('callback in a popup'))
			return { status: 200, body: '<!doctype html><script>opener.postMessage("signed-in", origin); close();</script>' };
		return { status: 303, location: this.#has('shows a character after the sign-in') ? '/me' : '/', body: '' };
	}

	/** The tokens of a user, in whatever browser. */
	#stored(tokens: Tokens): Tokens {
		const known = this.#users.get(tokens.user ?? '');
		if (known === undefined) this.#users.set(tokens.user ?? '', tokens);
		return known === undefined ? tokens : Object.assign(known, tokens);
	}

	/** A page that shows a character as it is now. */
	#poll(session: Session): void {
		clearInterval(session.timer);
		session.timer = setInterval(() => {
			if (session.tokens === undefined) clearInterval(session.timer);
			else void this.#calls.read(session, 'Exam 1').catch(() => undefined);
		}, 5000);
		session.timer.unref();
	}

	async #callbackOf(library: Library, search: string, session: Session): Promise<PageResponse> {
		const begun = session.library;
		session.library = undefined;
		if (begun === undefined) return { status: 400, body: 'This sign-in was not started here. Sign in again.' };
		try {
			const data = await library.exchange(new URL(this.#settings.redirectUri + search), begun);
			session.tokens = this.#tokens.tokensOf(data, session.tokens) ?? session.tokens;
			return { status: 303, location: '/', body: '' };
		} catch {
			return { status: 400, body: 'The sign-in failed. Sign in again.' };
		}
	}

	#codeOf(query: URLSearchParams, search: string): string | undefined {
		const code = query.get('code') ?? undefined;
		if (this.#has('code from the fragment')) return undefined;
		if (this.#has('plus in a code is a space')) return code?.replaceAll('+', ' ');
		if (!this.#has('decodes the code twice')) return code;
		const raw = /[?&]code=([^&]*)/.exec(search)?.[1];
		try {
			return raw === undefined ? undefined : decodeURIComponent(decodeURIComponent(raw));
		} catch {
			return unescape(code ?? '');
		}
	}

	async #signOut(session: Session): Promise<PageResponse> {
		const { tokens } = session;
		if (!this.#has('calls after the revocation')) session.tokens = undefined;
		if (this.#has('one store for each user')) {
			this.#users.delete(tokens?.user ?? '');
			for (const one of this.#sessions.values()) if (one.tokens === tokens) one.tokens = undefined;
		}
		if (tokens !== undefined && !this.#has('does not revoke')) await this.#tokens.revoke(tokens);
		return { status: 303, location: '/', body: '' };
	}
}

/**
 * Serves the client over HTTP on a free port.
 * @param settings gets the origin, for the redirect URI
 */
export async function serveReferenceClient(
	settings: (origin: string) => ClientSettings
): Promise<{ readonly origin: string; close(): void }> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const origin = `http://127.0.0.1:${portOf(server.address())}`;
	const client = new ReferenceClient(settings(origin));
	server.on('request', (request, response) => {
		void client.handle({ target: request.url ?? '/', cookie: request.headers.cookie }).then(
			({ status, body, location, cookie, type = 'text/html; charset=utf-8' }) => {
				if (location !== undefined) response.setHeader('location', location);
				if (cookie !== undefined) response.setHeader('set-cookie', cookie);
				response.writeHead(status, { 'content-type': type }).end(body);
			},
			(error: unknown) => response.writeHead(500).end(String(error))
		);
	});
	return {
		origin,
		close() {
			server.close();
			server.closeAllConnections();
		}
	};
}

const portOf = (address: AddressInfo | string | null) => (typeof address === 'object' ? (address?.port ?? 0) : 0);
