import { challengeOf } from '#client/oauth/authorization-request.ts';
import { createProof } from './proof.ts';
import type { LabRandom } from './lab-random.ts';
import type { BackRequest, BackResponse, Site, SiteRequest, SiteResponse, View } from './site.ts';
import { connected, failed, leave, rejected, signedOut, viewerName, viewerOrigin } from './viewer-pages.ts';

/** What differs between right and wrong versions of the client. */
export type ViewerOptions = {
	/** `if_sent`: a response without `state` is not compared. */
	readonly state: 'compared' | 'if_sent' | 'ignored';
	readonly pkce: boolean;
	/** `start`: the tokens go to the session that started the sign-in, whichever browser brings the response. */
	readonly session: 'of_browser' | 'of_start';
	/** Whether `iss` of the response must be the issuer of the request (RFC 9207). `token_url`: compared with another value. */
	readonly issuer: 'compared' | 'ignored' | 'required' | 'token_url';
	/** `each`: the issuers have different redirect URIs. */
	readonly redirectUri: 'one' | 'each';
	/** Random bytes of a state, and of a verifier. */
	readonly stateBytes: number;
	readonly verifierBytes: number;
	/** Whether a response to which another site led is accepted. */
	readonly acceptsCrossSite: boolean;
	/** Whether tokens are bound to a key (RFC 9449). */
	readonly dpop: boolean;
};

/** The client as it is right. */
export const rightViewer: ViewerOptions = {
	state: 'compared',
	pkce: true,
	session: 'of_browser',
	issuer: 'compared',
	redirectUri: 'one',
	stateBytes: 32,
	verifierBytes: 32,
	acceptsCrossSite: true,
	dpop: false
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
	readonly #random: LabRandom;

	constructor(options: ViewerOptions, issuers: readonly Issuer[], random: LabRandom) {
		this.#options = options;
		this.#issuers = issuers;
		this.#random = random;
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
		const { stateBytes, verifierBytes } = this.#options;
		const started = { state: this.#random.text(stateBytes), verifier: this.#random.text(verifierBytes), issuer };
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
		if (!this.#options.acceptsCrossSite && request.fetchSite !== 'same-origin')
			return rejected('client.same_site', 'The response came from another site.', 'From another site', {
				found: `Sec-Fetch-Site: ${request.fetchSite ?? 'none'}`,
				expected: 'Sec-Fetch-Site: same-origin'
			});
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
				outcome,
				{ found: state ?? 'no state', expected: own?.started?.state ?? 'no sign-in in this browser' }
			);
		}
		const issuer = session?.started?.issuer ?? this.#issuers[0];
		if (issuer === undefined || code === undefined || code === null)
			return rejected(
				'client.code_present',
				searchParams.get('error') === 'access_denied' ? 'You did not allow access.' : 'The response has no code.'
			);
		const { issuer: checksIssuer } = this.#options;
		const expected = checksIssuer === 'token_url' ? `${issuer.baseUrl}/ws/oauth2/token/` : issuer.baseUrl;
		if (checksIssuer !== 'ignored' && (iss !== null || checksIssuer === 'required') && iss !== expected)
			return rejected('client.issuer_matches', 'The response is of another issuer.', 'Another issuer', {
				found: iss ?? 'no iss',
				expected
			});
		if (this.#options.redirectUri === 'each' && pathname !== new URL(this.redirectUriOf(issuer)).pathname)
			return rejected(
				'client.redirect_uri_of_issuer',
				'The response arrived at the address of another issuer.',
				'Address of another issuer',
				{ found: pathname, expected: new URL(this.redirectUriOf(issuer)).pathname }
			);
		const kept = session ?? this.#create();
		const verifier = kept.started?.verifier;
		const isFresh = kept.started === undefined;
		kept.started = undefined;
		const response = await this.#send(request, {
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
		const send = () => this.#send(request, { method: 'POST', url: `${issuer.baseUrl}/ws/oauth2/token/`, form });
		const response = (await send()) ?? (await send());
		const tokens = tokensOf(response?.status === 200 ? response.body : undefined, issuer);
		return tokens && { ...tokens, refresh: tokens.refresh ?? refresh };
	}

	async #characters(
		request: SiteRequest,
		{ access, scheme, issuer }: Tokens
	): Promise<'expired' | 'no_response' | { readonly user: string; readonly items: NonNullable<View['items']> }> {
		for (const name of names) {
			const response = await this.#send(
				request,
				{
					method: 'GET',
					url: `${issuer.baseUrl}/ws/v2.0/character/${encodeURIComponent(name)}`,
					authorization: `${scheme} ${access}`
				},
				access
			);
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

	/** Sends a request because of another one, with a proof where tokens are bound to a key. @param token that the proof is for */
	async #send({ send, now }: SiteRequest, request: BackRequest, token?: string): Promise<BackResponse | undefined> {
		if (!this.#options.dpop) return send(request);
		const proof = await createProof(request, { token, now: now(), jti: this.#random.text(16) });
		return send({ ...request, headers: [['dpop', proof]] });
	}

	#sessionOf({ cookies }: SiteRequest): Session | undefined {
		const id = cookies.get(cookieName);
		return this.#sessions.find((session) => session.id === id);
	}

	#create(): Session {
		const session: Session = { id: this.#random.text() };
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
