import { challengeOf, randomText } from '#client/oauth/authorization-request.ts';
import type { Site, SiteRequest, SiteResponse, View } from './site.ts';
import { connected, failed, leave, rejected, signedOut, viewerName, viewerOrigin } from './viewer-pages.ts';

/** What differs between right and wrong versions of the client. */
export type ViewerOptions = {
	/** `if_sent`: a response without `state` is not compared. */
	readonly state: 'compared' | 'if_sent' | 'ignored';
	readonly pkce: boolean;
	/** `start`: the tokens go to the session that started the sign-in, whichever browser brings the response. */
	readonly session: 'of_browser' | 'of_start';
	/** Whether `iss` of the response must be the issuer of the request (RFC 9207). */
	readonly issuer: 'compared' | 'ignored';
	/** `each`: the issuers have different redirect URIs. */
	readonly redirectUri: 'one' | 'each';
};

/** The client as it is right. */
export const rightViewer: ViewerOptions = {
	state: 'compared',
	pkce: true,
	session: 'of_browser',
	issuer: 'compared',
	redirectUri: 'one'
};

/** An authorization server that the client uses. */
export type Issuer = {
	readonly id: string;
	readonly baseUrl: string;
	readonly clientId: string;
	/** Undefined of a public client. */
	readonly secret: string | undefined;
};

type Tokens = {
	readonly access: string;
	readonly refresh: string | undefined;
	/** Of the `Authorization` header. */
	readonly scheme: string;
	readonly issuer: Issuer;
};

type Session = {
	readonly id: string;
	started?: { readonly state: string; readonly verifier: string; readonly issuer: Issuer } | undefined;
	tokens?: Tokens | undefined;
};

/** The names that it asks for, one of each user. */
const names = ['Mara Vell', 'Zoë Šťastná', '100% Orc'];
const cookieName = '__Host-session';

/** Character Viewer: a client of the service that runs in this page. It keeps a session for each browser. */
export class CharacterViewer implements Site {
	#sessions: readonly Session[] = [];
	readonly #options: ViewerOptions;
	readonly #issuers: readonly Issuer[];

	constructor(options: ViewerOptions, issuers: readonly Issuer[]) {
		this.#options = options;
		this.#issuers = issuers;
	}

	/** What its store has: the tokens of each session. */
	get stored(): readonly Tokens[] {
		return this.#sessions.flatMap(({ tokens }) => tokens ?? []);
	}

	/** The redirect URI of an issuer. */
	redirectUriOf({ id }: Pick<Issuer, 'id'>): string {
		return `${viewerOrigin}/callback${this.#options.redirectUri === 'each' ? `/${id}` : ''}`;
	}

	async handle(request: SiteRequest): Promise<SiteResponse> {
		const { pathname, searchParams } = request.url;
		if (pathname === '/start') return this.#start(request);
		if (/^\/callback(?:\/\w+)?$/.test(pathname)) return this.#callback(request);
		if (pathname === '/out') return leave(searchParams);
		if (pathname !== '/')
			return {
				status: 404,
				outcome: 'No such page',
				tone: 'error',
				view: { site: viewerName, text: 'Page not found.' }
			};
		return this.#show(request);
	}

	async #start(request: SiteRequest): Promise<SiteResponse> {
		const issuer = this.#issuers.find(({ id }) => id === request.url.searchParams.get('issuer')) ?? this.#issuers[0];
		if (issuer === undefined) throw new Error('The client has no issuer.');
		const session = this.#sessionOf(request) ?? this.#create();
		const started = { state: randomText(), verifier: randomText(), issuer };
		session.started = started;
		const query = new URLSearchParams({
			response_type: 'code',
			client_id: issuer.clientId,
			redirect_uri: this.redirectUriOf(issuer),
			scope: 'character_read location_read',
			access_type: 'offline',
			state: started.state,
			...(this.#options.pkce && {
				code_challenge: await challengeOf(started.verifier),
				code_challenge_method: 'S256'
			})
		});
		return {
			status: 303,
			location: `${issuer.baseUrl}/ws/oauth2/auth/?${query.toString()}`,
			cookie: cookieOf(session),
			outcome: 'Sign-in started',
			tone: 'plain'
		};
	}

	async #callback(request: SiteRequest): Promise<SiteResponse> {
		const { searchParams, pathname } = request.url;
		const [state, code, iss] = ['state', 'code', 'iss'].map((name) => searchParams.get(name));
		const own = this.#sessionOf(request);
		const { state: checksState, session: whose } = this.#options;
		const starter = state === null ? undefined : this.#sessions.find(({ started }) => started?.state === state);
		const session = whose === 'of_start' ? starter : own;
		const isCompared =
			whose === 'of_browser' && (checksState === 'compared' || (checksState === 'if_sent' && state !== null));
		if (whose === 'of_start' && starter === undefined) return rejected('client.state_known', 'The state is unknown.');
		if (isCompared && (state === null || state !== own?.started?.state)) {
			const outcome = state === null ? 'No state' : own?.started === undefined ? 'No sign-in here' : 'Another state';
			return rejected(
				checksState === 'compared' ? 'client.state_matches' : 'client.sent_state_matches',
				'This sign-in was not started in this browser.',
				outcome
			);
		}
		const issuer = session?.started?.issuer ?? this.#issuers[0];
		if (issuer === undefined || code === undefined || code === null)
			return rejected(
				'client.code_present',
				searchParams.get('error') === 'access_denied' ? 'You did not allow access.' : 'The response has no code.'
			);
		if (this.#options.issuer === 'compared' && iss !== null && iss !== issuer.baseUrl)
			return rejected('client.issuer_matches', 'The response is of another issuer.', 'Another issuer');
		if (this.#options.redirectUri === 'each' && pathname !== new URL(this.redirectUriOf(issuer)).pathname)
			return rejected(
				'client.redirect_uri_of_issuer',
				'The response arrived at the address of another issuer.',
				'Address of another issuer'
			);
		const kept = session ?? this.#create();
		const verifier = kept.started?.verifier;
		const isFresh = kept.started === undefined;
		kept.started = undefined;
		const response = await request.send({
			method: 'POST',
			url: `${issuer.baseUrl}/ws/oauth2/token/`,
			form: {
				grant_type: 'authorization_code',
				code,
				redirect_uri: this.redirectUriOf(issuer),
				client_id: issuer.clientId,
				...(issuer.secret !== undefined && { client_secret: issuer.secret }),
				...(this.#options.pkce && verifier !== undefined && { code_verifier: verifier })
			}
		});
		kept.tokens = tokensOf(response?.status === 200 ? response.body : undefined, issuer) ?? kept.tokens;
		if (response?.status !== 200)
			return {
				status: 502,
				cookie: cookieOf(kept),
				outcome: 'The code was not accepted',
				tone: 'error',
				view: failed('Sign-in failed', 'The service did not accept the code.')
			};
		if (whose === 'of_start' && own !== kept) return connected();
		return {
			status: 303,
			location: `${viewerOrigin}/`,
			cookie: cookieOf(kept),
			outcome:
				state === null
					? 'No state. Accepted'
					: isCompared
						? 'State matches'
						: isFresh
							? 'Accepted'
							: 'State not compared',
			tone: isCompared ? 'ok' : 'caution'
		};
	}

	async #show(request: SiteRequest): Promise<SiteResponse> {
		const session = this.#sessionOf(request);
		if (session?.tokens === undefined) return signedOut('You are signed out.');
		let found = await this.#characters(request, session.tokens);
		if (found === 'expired') {
			session.tokens = await this.#refresh(request, session.tokens);
			if (session.tokens !== undefined) found = await this.#characters(request, session.tokens);
		}
		if (found === 'expired') {
			session.tokens = undefined;
			return signedOut('Your access has ended. Sign in again.');
		}
		if (found === 'no_response') {
			const view = failed('No response', 'The service does not respond. Try again later.');
			return { status: 503, outcome: 'No response of the service', tone: 'error', view };
		}
		const { user, items } = found;
		return {
			status: 200,
			outcome: `Characters of ${user}`,
			tone: 'ok',
			view: { site: viewerName, user, heading: 'Your characters', items }
		};
	}

	/** Sends a refresh, and once more if there was no response. */
	async #refresh(request: SiteRequest, { issuer, refresh }: Tokens): Promise<Tokens | undefined> {
		if (refresh === undefined) return undefined;
		const form = {
			grant_type: 'refresh_token',
			refresh_token: refresh,
			client_id: issuer.clientId,
			...(issuer.secret !== undefined && { client_secret: issuer.secret })
		};
		const send = () => request.send({ method: 'POST', url: `${issuer.baseUrl}/ws/oauth2/token/`, form });
		const response = (await send()) ?? (await send());
		const tokens = tokensOf(response?.status === 200 ? response.body : undefined, issuer);
		return tokens && { ...tokens, refresh: tokens.refresh ?? refresh };
	}

	async #characters(
		request: SiteRequest,
		{ access, scheme, issuer }: Tokens
	): Promise<'expired' | 'no_response' | { readonly user: string; readonly items: NonNullable<View['items']> }> {
		for (const name of names) {
			const response = await request.send({
				method: 'GET',
				url: `${issuer.baseUrl}/ws/v2.0/character/${encodeURIComponent(name)}`,
				authorization: `${scheme} ${access}`
			});
			if (response === undefined) return 'no_response';
			if (response.status === 401) return 'expired';
			if (response.status !== 200) return 'no_response';
			// Only own characters have a location.
			const { location, race, class: role, level } = fieldsOf(response.body);
			if (location !== undefined)
				return {
					user: response.username ?? '',
					items: [{ title: name, text: `${String(race)} · ${String(role)} · level ${String(level)}` }]
				};
		}
		return { user: '', items: [] };
	}

	#sessionOf({ cookies }: SiteRequest): Session | undefined {
		const id = cookies.get(cookieName);
		return this.#sessions.find((session) => session.id === id);
	}

	#create(): Session {
		const session: Session = { id: randomText() };
		this.#sessions = [...this.#sessions, session];
		return session;
	}
}

function cookieOf({ id }: Session): string {
	return `${cookieName}=${id}`;
}

function tokensOf(body: unknown, issuer: Issuer): Tokens | undefined {
	const { access_token, refresh_token, token_type } = fieldsOf(body);
	if (typeof access_token !== 'string' || typeof token_type !== 'string') return undefined;
	return {
		access: access_token,
		refresh: typeof refresh_token === 'string' ? refresh_token : undefined,
		scheme: token_type,
		issuer
	};
}

/** The fields of a response. None where the body is no object. */
export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
	return typeof body === 'object' && body !== null ? { ...body } : {};
}
