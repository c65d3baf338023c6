import { inspect } from 'node:util';
import type { ClientSettings, Session, TokenFields, Trait } from './reference-client.ts';

/** The tokens of one browser. */
export type Tokens = {
	access: string;
	refresh: string | undefined;
	/** When the access token expires and how long it lives, in milliseconds. */
	expires: number;
	life: number;
	/** The refresh that is running. All calls wait for it. */
	refreshing?: Promise<void> | undefined;
	/** That of another process of the client. */
	other?: Promise<void> | undefined;
	/** Who signed in, as the ID token says. */
	user?: string | undefined;
	/** The refresh that a timer begins. */
	timer?: ReturnType<typeof setTimeout>;
};

/** The service rejected a token request for good. */
class Rejected extends Error {}

/** The service had an error. It may work later. */
class Unavailable extends Error {}

/** The token requests of the reference client. */
export class ReferenceTokens {
	readonly #settings: ClientSettings;
	readonly #has: (trait: Trait) => boolean;
	/** No refresh is sent before, in milliseconds since 1970. */
	#closedUntil = 0;
	/** The refresh token of the user who signed in last. */
	#newest: string | undefined;

	constructor(settings: ClientSettings, has: (trait: Trait) => boolean) {
		this.#settings = settings;
		this.#has = has;
	}

	/**
	 * Exchanges a code, once.
	 * @param previous the tokens that the browser had. Their refresh token stays if the response has none
	 * @returns undefined if it failed
	 */
	async exchange(
		code: string | undefined,
		verifier: string | undefined,
		previous: Tokens | undefined
	): Promise<Tokens | undefined> {
		const { redirectUri } = this.#settings;
		const fields: Record<string, string> = {
			grant_type: 'authorization_code',
			redirect_uri: this.#has('slash in the exchange') ? `${redirectUri}/` : redirectUri
		};
		if (code !== undefined) fields.code = code;
		if (verifier !== undefined) fields.code_verifier = verifier;
		try {
			const data = await this.#sendExchange(fields);
			if (this.#has('sends the code twice')) await this.#send(fields).catch(() => undefined);
			const keeps = !this.#has('forgets it at the second sign-in');
			const tokens = tokensOf(data, keeps ? previous?.refresh : undefined);
			if (tokens !== undefined && this.#has('one store for each user')) tokens.user = userIn(data.id_token);
			this.#newest = tokens?.refresh ?? this.#newest;
			if (tokens !== undefined) this.#refreshLater(tokens);
			return tokens;
		} catch {
			return undefined;
		}
	}

	/** Compares the issuer, which responses of today's standards name (RFC 9207). */
	isOfIssuer(iss: string | null): boolean {
		const { baseUrl, dialect } = this.#settings;
		if (dialect !== 'standard' || this.#has('iss is not compared')) return true;
		if (iss === null) return this.#has('iss may be missing');
		return iss === baseUrl || (this.#has('iss with a slash') && iss === `${baseUrl}/`);
	}

	/** The tokens of a response. The refresh token of the browser stays if the response has none. */
	tokensOf(data: TokenFields, previous: Tokens | undefined): Tokens | undefined {
		return tokensOf(data, previous?.refresh);
	}

	/** An access token that is not about to expire. */
	async fresh(tokens: Tokens): Promise<string> {
		const usual = Math.min(60_000, tokens.life / 10);
		const early = this.#has('refreshes ahead of the expiry') ? 0.4 * tokens.life : usual;
		const margin = this.#has('margin of 600 s') ? 600_000 : early;
		const isDue = Date.now() > tokens.expires - margin || this.#has('refreshes before every call');
		if (isDue && tokens.refresh !== undefined) await this.refresh(tokens);
		return tokens.access;
	}

	/**
	 * Gets a new access token. Calls that run at the same time share one request.
	 * @throws Rejected if access is over, any other error if it may work later
	 */
	refresh(tokens: Tokens): Promise<void> {
		if (this.#has('never refreshes') || this.#has('signs in again in place of a refresh')) return Promise.resolve();
		if (this.#has('refreshes without a lock')) return this.#refresh(tokens);
		if (this.#has('refreshes in two processes') && tokens.refreshing !== undefined)
			return (tokens.other ??= this.#refresh(tokens).finally(() => {
				tokens.other = undefined;
			}));
		tokens.refreshing ??= this.#refresh(tokens).finally(() => {
			tokens.refreshing = undefined;
		});
		return tokens.refreshing;
	}

	/** Ends the sign-in of a browser after a refresh has failed for good. */
	forgetAfter(error: unknown, session: Session): void {
		const isLost = !(error instanceof Unavailable) && this.#has('signs out at a lost refresh');
		const isOver =
			error instanceof Rejected
				? !this.#has('keeps a dead refresh token')
				: isLost || this.#has('signs out at each failure');
		if (isOver) session.tokens = undefined;
	}

	/** Ends the access of the client. A failure is ignored: the tokens are forgotten. */
	async revoke({ refresh, access }: Tokens): Promise<void> {
		const { baseUrl, clientId, clientSecret, dialect, fetch: send = fetch } = this.#settings;
		const one = this.#has('revokes the access token only') ? access : (refresh ?? access);
		const both = this.#has('revokes both tokens') ? [access, refresh ?? access] : [one];
		const url = `${baseUrl}/ws/oauth2/revoke`;
		for (const token of both) {
			const parameters = new URLSearchParams({ token, client_id: clientId });
			if (dialect !== 'standard') await send(`${url}?${parameters}`).catch(() => undefined);
			else {
				if (!this.#has('revokes without its secret')) parameters.set('client_secret', clientSecret);
				await send(url, { method: 'POST', body: parameters }).catch(() => undefined);
			}
		}
	}

	async #refresh(tokens: Tokens): Promise<void> {
		if (this.#has('one refresh token for all users')) tokens.refresh = this.#newest ?? tokens.refresh;
		const fields: Record<string, string> = { grant_type: 'refresh_token', refresh_token: tokens.refresh ?? '' };
		if (this.#has('widens the scope')) fields.scope = 'character_read character_write';
		const data = await (this.#settings.library === undefined
			? this.#sendRefresh(fields)
			: this.#refreshByLibrary(tokens));
		const next = tokensOf(data, this.#has('forgets the refresh token') ? '' : tokens.refresh);
		if (next === undefined) throw new Error('The token response is incomplete.');
		const { refresh } = tokens;
		Object.assign(tokens, next);
		this.#refreshLater(tokens);
		if (this.#has('keeps a replaced refresh token')) tokens.refresh = refresh;
		if (this.#has('text of nothing')) tokens.refresh = String(data.refresh_token);
	}

	/** After half of the lifetime. */
	#refreshLater(tokens: Tokens): void {
		if (!this.#has('refreshes by a timer') || tokens.refresh === undefined) return;
		clearTimeout(tokens.timer);
		tokens.timer = setTimeout(() => void this.refresh(tokens).catch(() => undefined), tokens.life / 2);
		tokens.timer.unref();
	}

	async #refreshByLibrary({ refresh = '' }: Tokens): Promise<TokenFields> {
		try {
			return (await this.#settings.library?.refresh(refresh)) ?? {};
		} catch (error) {
			throw /invalid_grant/.test(inspect(error, { depth: 5 })) ? new Rejected() : error;
		}
	}

	async #sendRefresh(fields: Readonly<Record<string, string>>): Promise<TokenFields> {
		if (this.#has('repeats a lost refresh without an end')) return this.#sendUpTo(20, fields);
		if (this.#has('repeats a rejected refresh at once')) return this.#sendWhileUnavailable(31, fields);
		if (this.#has('refreshes with full jitter')) return this.#sendWhileUnavailable(8, fields, 50);
		if (Date.now() < this.#closedUntil) throw new Error('The token endpoint failed less than a minute ago.');
		try {
			return await this.#send(fields);
		} catch (error) {
			const isOver = error instanceof Rejected;
			if (!isOver && this.#has('no refresh for a minute after a failed one')) this.#closedUntil = Date.now() + 60_000;
			if (!this.#has('repeats a failed refresh') || error instanceof Rejected) throw error;
			await new Promise((resolve) => setTimeout(resolve, 1000));
			return this.#send(fields);
		}
	}

	/** Sends a request again while it gets an error of the server. @param base of full jitter, in milliseconds. 0: no pause */
	async #sendWhileUnavailable(tries: number, fields: Readonly<Record<string, string>>, base = 0): Promise<TokenFields> {
		for (let count = 1; ; count += 1) {
			try {
				return await this.#send(fields);
			} catch (error) {
				if (count === tries || !(error instanceof Unavailable)) throw error;
				if (base > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * base * 2 ** (count - 1)));
			}
		}
	}

	#sendExchange(fields: Readonly<Record<string, string>>): Promise<TokenFields> {
		return this.#sendUpTo(this.#has('repeats a lost exchange') ? 6 : 1, fields);
	}

	/** Sends a request until it gets a response. @param tries at most */
	async #sendUpTo(tries: number, fields: Readonly<Record<string, string>>): Promise<TokenFields> {
		for (let count = 1; ; count += 1) {
			try {
				return await this.#send(fields);
			} catch (error) {
				if (count === tries || error instanceof Rejected) throw error;
			}
		}
	}

	async #send(fields: Readonly<Record<string, string>>): Promise<TokenFields> {
		const { baseUrl, clientId, clientSecret, fetch: send = fetch } = this.#settings;
		const unknown = this.#has('unknown parameters') ? { audience: 'https://api.example.test' } : {};
		const form = { ...fields, ...unknown, client_id: clientId, client_secret: clientSecret };
		const isJson = this.#has('JSON in place of a form');
		const headers: Record<string, string> = {
			accept: 'application/json',
			'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded'
		};
		// Browsers send these of pages.
		if (this.#has('page sends the secret')) {
			const { origin } = new URL(this.#settings.redirectUri);
			Object.assign(headers, {
				origin,
				'sec-fetch-site': 'cross-site',
				'sec-fetch-mode': 'cors',
				'sec-fetch-dest': 'empty'
			});
		}
		const query = this.#has('secret in the token URL') ? `?client_secret=${clientSecret}` : '';
		const body = isJson ? JSON.stringify(form) : new URLSearchParams(form).toString();
		const isGet = this.#has('refreshes by GET') && fields.grant_type === 'refresh_token';
		const url = `${baseUrl}/ws/oauth2/token/`;
		const response = await (isGet ? send(`${url}?${body}`) : send(url + query, { method: 'POST', headers, body }));
		const data: unknown = await response.json();
		const object = typeof data === 'object' && data !== null ? { ...data } : {};
		if (response.ok) return this.#checked(object);
		if (this.#has('ignores the status') && fields.grant_type === 'authorization_code')
			return { access_token: '', expires_in: 3600 };
		if (response.status >= 500) throw new Unavailable(`The service responded with status ${response.status}.`);
		throw new Rejected();
	}

	#checked(data: TokenFields): TokenFields {
		const known = ['access_token', 'expires_in', 'token_type', 'scope', 'refresh_token'];
		const unknown = Object.keys(data).some((name) => !known.includes(name));
		if (this.#has('strict token response') && unknown) throw new Error('The token response has unknown fields.');
		const { expires_in } = data;
		const inMilliseconds = this.#has('lifetime in milliseconds') && typeof expires_in === 'number';
		return inMilliseconds ? { ...data, expires_in: expires_in / 1000 } : data;
	}
}

function tokensOf(data: TokenFields, previousRefresh: string | undefined): Tokens | undefined {
	const { access_token: access, expires_in: seconds, refresh_token: refresh } = data;
	if (typeof access !== 'string' || typeof seconds !== 'number') return undefined;
	const life = seconds * 1000;
	return {
		access,
		life,
		expires: Date.now() + life,
		refresh: typeof refresh === 'string' ? refresh : previousRefresh
	};
}

/** The user of an ID token. The token came from the service itself, over TLS. */
function userIn(token: unknown): string {
	const claims: unknown = JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString() || '{}');
	return typeof claims === 'object' && claims !== null && 'sub' in claims ? String(claims.sub) : '';
}
