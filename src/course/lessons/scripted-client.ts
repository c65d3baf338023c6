import type { ControlApi } from '#client/control-api/control-api.ts';
import { characterViewer, pocketCompanion } from '#client/demo-clients.ts';
import { createFlowSecrets, type FlowSecrets } from '#client/oauth/authorization-request.ts';
import { outOfBandUri, type ClientRegistration } from '#client/oauth/client-registration.ts';
import { characterPath, patterns, serviceUrls } from '#client/service-urls.ts';

/** Parameters of a request; undefined leaves one out. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** A response that was read. */
export type Reply = {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** A member of the JSON body, as text, or empty if there is none. */
	field(name: string): string;
};

/** Sends one request, as `fetch` does. It rejects where there is no response. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** A client that does one request after the other, as a script says. It checks nothing: a script may do everything wrong. */
export class ScriptedClient {
	readonly baseUrl: string;
	readonly viewer: ClientRegistration;
	/** With the out-of-band redirect URI. */
	readonly companion: ClientRegistration;
	readonly #send: Send;
	readonly #learn: (values: Readonly<Record<string, string>>) => void;

	/**
	 * @param control of the sandbox, with the right to control it
	 * @param enter fills a field of the lesson page
	 * @param learn gets the code, the redirect URI and the verifier of each sign-in
	 */
	constructor(
		readonly control: ControlApi,
		readonly enter: (field: string, value: string) => void,
		send: Send = (url, init) => fetch(url, init),
		learn: (values: Readonly<Record<string, string>>) => void = () => {}
	) {
		this.baseUrl = control.baseUrl;
		this.viewer = characterViewer(control.baseUrl);
		this.companion = pocketCompanion(outOfBandUri);
		this.#send = send;
		this.#learn = learn;
	}

	/**
	 * Sends an authorization request as a user, who decides at once.
	 * @param asked parameters besides those of the application; `undefined` leaves one out
	 * @returns the parameters of the authorization response, also of one that is shown out of band; empty where a page is shown
	 */
	async authorize(
		asked: Fields = {},
		client: ClientRegistration = this.viewer,
		{ username = 'player-one', decision = 'approve' }: { username?: string; decision?: 'approve' | 'deny' } = {}
	): Promise<URLSearchParams> {
		const { client_id, redirect_uri } = client;
		const query = encode({
			response_type: 'code',
			client_id,
			redirect_uri,
			scope: 'character_read',
			state: 's',
			...asked
		});
		const { location, title = '' } = await this.control.request('POST /control/authorizations', {
			body: {
				username,
				query: query.toString(),
				decision
			}
		});
		if (location !== undefined) return new URL(location).searchParams;
		return new URLSearchParams(/^Success,(code=.*)$/.exec(title)?.[1]);
	}

	/** The code of an authorization request that the user allows; parameters as for `authorize`. Empty if there is none. */
	async code(...request: Parameters<ScriptedClient['authorize']>): Promise<string> {
		const code = (await this.authorize(...request)).get('code') ?? '';
		const [, { redirect_uri } = this.viewer] = request;
		this.#learn({ code, redirect_uri });
		return code;
	}

	/** Sends a token request. */
	token(fields: Fields): Promise<Reply> {
		return this.send(`${this.baseUrl}/ws/oauth2/token/`, { method: 'POST', body: encode(fields) });
	}

	exchange(code: string, client: ClientRegistration = this.viewer, more: Fields = {}): Promise<Reply> {
		const { client_id, client_secret, redirect_uri } = client;
		return this.token({ grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri, ...more });
	}

	/** Signs a user in: an authorization request and its exchange. */
	async signIn(...request: Parameters<ScriptedClient['authorize']>): Promise<Reply> {
		return this.exchange(await this.code(...request), request[1]);
	}

	/** Signs a user in who allows access while they are away. Returns both tokens. */
	async signInOffline(username = 'player-one'): Promise<{ access_token: string; refresh_token: string }> {
		const tokens = await this.signIn({ access_type: 'offline' }, this.viewer, { username });
		return { access_token: tokens.field('access_token'), refresh_token: tokens.field('refresh_token') };
	}

	refresh(refresh_token: string, client: ClientRegistration = this.viewer): Promise<Reply> {
		const { client_id, client_secret } = client;
		return this.token({ grant_type: 'refresh_token', refresh_token, client_id, client_secret });
	}

	/** Reads a character with the token in the header. */
	character(access_token: string, name = 'Mara Vell'): Promise<Reply> {
		return this.send(this.baseUrl + characterPath(name), { headers: { authorization: `OAuth ${access_token}` } });
	}

	/** Reads a character several times, one after the other. Returns the last response. */
	async read(access_token: string, count: number): Promise<Reply> {
		let last = await this.character(access_token);
		for (let call = 1; call < count; call++) last = await this.character(access_token);
		return last;
	}

	/** Moves the clock of the sandbox, in seconds. */
	advance(seconds: number): Promise<unknown> {
		return this.control.request('POST /control/clock', { body: { advance: seconds } });
	}

	/** Reads the rate limit records (section 8.5). */
	rateLimits(access_token: string): Promise<Reply> {
		return this.send(this.baseUrl + patterns.ratelimits, { headers: { authorization: `OAuth ${access_token}` } });
	}

	/** Reads the rate limiting status of the address. A blacklisted address gets it too. */
	rateLimiting(): Promise<Reply> {
		return this.send(serviceUrls(this.baseUrl).ratelimiting);
	}

	/** A new code verifier and its S256 challenge. */
	async pkce(): Promise<Pick<FlowSecrets, 'code_verifier' | 'code_challenge'>> {
		const secrets = await createFlowSecrets();
		this.#learn({ code_verifier: secrets.code_verifier });
		return secrets;
	}

	/** Opens a link that carries an authorization response to an application, as the browser of a victim does. */
	async openLink(code: string, { client_id, redirect_uri }: ClientRegistration = this.viewer): Promise<void> {
		const link = this.control.url('GET /control/authorization-response', { query: { client_id, redirect_uri, code } });
		await this.send(link, { redirect: 'manual' });
	}

	/** Revokes a refresh token, or an access token. */
	revoke(token: string, client: ClientRegistration = this.viewer): Promise<Reply> {
		return this.send(
			`${this.baseUrl}/ws/oauth2/revoke?${encode({ token, client_id: client.client_id }).toString()}`,
			{}
		);
	}

	/**
	 * Sends any request.
	 * @throws whatever `fetch` throws where there is no response
	 */
	async send(url: string, init: RequestInit = {}): Promise<Reply> {
		const headers = new Headers(init.headers);
		if (!headers.has('accept')) headers.set('accept', 'application/json');
		const response = await this.#send(url, { cache: 'no-store', ...init, headers });
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, field: (name) => fieldOf(text, name) };
	}
}

/**
 * A run of a lesson. Resolves when all of its responses have arrived. The one in `script.ts` of a lesson's folder meets every condition, and
 * "Do it for me" runs it in the learner's sandbox.
 */
export type Script = (client: ScriptedClient) => Promise<void>;

/** The response to a request, or undefined if the service does not respond. */
export function orNoResponse(request: Promise<Reply>): Promise<Reply | undefined> {
	return request.catch(() => undefined);
}

function encode(fields: Fields): URLSearchParams {
	const sent = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
	return new URLSearchParams(sent);
}

function fieldOf(text: string, name: string): string {
	try {
		const body: unknown = JSON.parse(text);
		const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
		return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	} catch {
		return '';
	}
}
