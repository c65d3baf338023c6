import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DialectName } from '#api/dialect.ts';
import type { Habit } from './habits.ts';
import type { Mistake } from './mutants.ts';
import { ReferenceCalls } from './reference-calls.ts';
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
	readonly location?: string;
	/** The value of `Set-Cookie`. */
	readonly cookie?: string;
};

type Pending = { readonly state: string; readonly verifier: string | undefined };

/** What the client knows about one browser. */
export type Session = {
	pending?: Pending | undefined;
	library?: LibrarySession | undefined;
	tokens?: Tokens | undefined;
};

const random = (bytes: number) => randomBytes(bytes).toString('base64url');
const constant = random(32);
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
	#count = 0;
	readonly #allPending = new Map<string, Pending>();
	#latest: Pending | undefined;

	constructor(settings: ClientSettings) {
		this.#settings = settings;
		const traits = new Set<Trait>([...(settings.mistakes ?? []), ...(settings.habits ?? [])]);
		this.#has = (trait) => traits.has(trait);
		this.#tokens = new ReferenceTokens(settings, this.#has);
		this.#calls = new ReferenceCalls(settings, this.#tokens, this.#has);
	}

	/** Responds to one request of a browser. */
	async handle({ target, cookie = '' }: PageRequest): Promise<PageResponse> {
		const url = new URL(target, 'http://localhost');
		const known = this.#sessions.get(/\bsid=([\w-]+)/.exec(cookie)?.[1] ?? '');
		const session: Session = known ?? {};
		const response = await this.#route(url, session);
		if (known !== undefined) return response;
		const id = random(24);
		this.#sessions.set(id, session);
		return { ...response, cookie: `sid=${id}; HttpOnly; SameSite=Lax; Path=/` };
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
			case '/logout':
				return this.#signOut(session);
			case '/':
				return { status: 200, body: session.tokens === undefined ? 'Signed out' : 'Signed in' };
			default:
				return { status: 404, body: 'Not found' };
		}
	}

	async #read(session: Session, name: string): Promise<PageResponse> {
		const response = await this.#calls.read(session, name);
		const isMissing = response.status === 401 && this.#has('signs in again where a sign-in is missing');
		const isForbidden = response.status === 403 && this.#has('signs in again at 403');
		return isMissing || isForbidden ? { status: 303, location: '/login', body: '' } : response;
	}

	async #signIn(session: Session): Promise<PageResponse> {
		const { baseUrl, clientId, clientSecret, redirectUri, library, dialect = 'specification' } = this.#settings;
		if (library !== undefined)
			return { status: 303, location: await library.authorize((session.library = {})), body: '' };
		const verifier = this.#has('constant verifier') ? constant : random(32);
		const pending = {
			state: this.#newState(verifier),
			verifier: this.#has('no challenge') || this.#has('no code challenge') ? undefined : verifier
		};
		session.pending = pending;
		this.#latest = pending;
		this.#allPending.set(pending.state, pending);
		const query = new URLSearchParams({
			response_type: 'code',
			client_id: clientId,
			redirect_uri: this.#has('slash behind the redirect URI') ? `${redirectUri}/` : redirectUri,
			scope: this.#has('asks for writing') ? 'character_read character_write' : 'character_read'
		});
		if (dialect === 'specification') query.set('access_type', 'offline');
		if (!this.#has('no state')) query.set('state', pending.state);
		if (pending.verifier !== undefined) {
			query.set('code_challenge', createHash('sha256').update(pending.verifier).digest('base64url'));
			query.set('code_challenge_method', this.#has('plain challenge') ? 'plain' : 'S256');
		}
		if (this.#has('secret in the authorization URL')) query.set('client_secret', clientSecret);
		if (this.#has('unknown parameters')) query.set('login_hint', 'user@example.test');
		const location = `${baseUrl}/ws/oauth2/auth/?${query}`;
		if (this.#has('script opens the sign-in page')) {
			const headers = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
			await (this.#settings.fetch ?? fetch)(location, { headers, redirect: 'manual' });
		}
		return { status: 303, location, body: '' };
	}

	#newState(verifier: string): string {
		if (this.#has('constant state')) return constant;
		if (this.#has('clock as state')) return `${Date.now()}${++this.#count % 1000}`;
		if (this.#has('verifier as state')) return verifier;
		if (this.#has('state with a URL')) return JSON.stringify({ id: random(24), next: 'http://localhost/me' });
		if (this.#has('state of 200 characters')) return random(150);
		if (this.#has('state with punctuation')) return `${random(16)}.${random(16)}~!*'():@/+ =&`;
		return random(32);
	}

	async #callback({ searchParams: query, search }: URL, session: Session): Promise<PageResponse> {
		const { library } = this.#settings;
		if (library !== undefined) return this.#callbackOf(library, search, session);
		const pending = this.#pendingOf(query.get('state') ?? undefined, session);
		if (pending === undefined) return { status: 400, body: 'This sign-in was not started here. Sign in again.' };
		if (!this.#has('state stays valid')) session.pending = undefined;
		if (!this.#tokens.isOfIssuer(query.get('iss')))
			return { status: 400, body: 'This is the response of another server.' };
		const unknown = [...query.keys()].some((name) => !knownParameters.has(name));
		if (this.#has('list of allowed parameters') && unknown) return { status: 400, body: 'Unexpected parameter' };
		if (query.has('error') && !this.#has('reads the code only')) {
			if (this.#has('starts again at a denial')) return { status: 303, location: '/login', body: '' };
			return { status: 403, body: this.#errorPage(query.get('error_description') ?? '') };
		}
		const code = this.#codeOf(query, search);
		if (code === undefined && !this.#has('reads the code only')) return { status: 400, body: 'There is no code.' };
		const tokens = await this.#tokens.exchange(code, pending.verifier, session.tokens);
		if (tokens === undefined && this.#has('signs in again after a failed exchange'))
			return { status: 303, location: '/login', body: '' };
		if (tokens === undefined) return { status: 502, body: 'The sign-in failed. Sign in again.' };
		session.tokens = tokens;
		return { status: 303, location: this.#has('shows a character after the sign-in') ? '/me' : '/', body: '' };
	}

	#errorPage(text: string): string {
		if (this.#has('error text as HTML')) return `<!doctype html><p>${text}</p>`;
		if (this.#has('error text in an attribute')) return `<!doctype html><p title='${text}'>Access was denied.</p>`;
		if (this.#has('error text in a script'))
			return `<!doctype html><script type="application/json">{"text":"${text.replaceAll('"', "'")}"}</script>`;
		return '<!doctype html><p>You did not allow access.</p>';
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

	/** The sign-in that a state belongs to; undefined if there is none. */
	#pendingOf(state: string | undefined, session: Session): Pending | undefined {
		const { pending } = session;
		const unprotected = { state: '', verifier: pending?.verifier };
		if (this.#has('no state') || this.#has('state is not compared')) return unprotected;
		if (this.#has('states of all browsers')) {
			const found = this.#allPending.get(state ?? '');
			this.#allPending.delete(state ?? '');
			return found;
		}
		if (this.#has('nothing equals nothing') && state === pending?.state) return unprotected;
		if (this.#has('one sign-in for all browsers')) return state === this.#latest?.state ? this.#latest : undefined;
		if (this.#has('callback without a sign-in') && pending === undefined) return unprotected;
		if (this.#has('compares the start of the state') && pending?.state.startsWith(state ?? '') === true) return pending;
		const isEmpty = (state ?? '') === '';
		if (this.#has('takes any start of the state') && !isEmpty && pending?.state.startsWith(state ?? '') === true)
			return pending;
		const compared = this.#has('compares eight characters of the state') ? 8 : undefined;
		if (compared !== undefined && state?.slice(0, compared) === pending?.state.slice(0, compared)) return pending;
		return state !== undefined && state === pending?.state ? pending : undefined;
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
			({ status, body, location, cookie }) => {
				if (location !== undefined) response.setHeader('location', location);
				if (cookie !== undefined) response.setHeader('set-cookie', cookie);
				response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body);
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
