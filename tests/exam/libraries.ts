import { createHash, randomBytes } from 'node:crypto';
import { OAuth2Client as BadgatewayClient } from '@badgateway/oauth2-client';
import * as arctic from 'arctic';
import { OAuth2 } from 'oauth';
import * as oauth4webapi from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Request } from 'express';
import PassportStrategy from 'passport-oauth2';
import { AuthorizationCode } from 'simple-oauth2';
import type { ClientSettings, Library, LibrarySession, TokenFields } from './reference-client.ts';

/** A library, and how an application uses it as its documentation says. */
export type LibraryRow = {
	readonly name: string;
	/** It needs a sandbox that accepts `Bearer` and HTTP Basic. */
	readonly isLenient?: boolean;
	readonly create: (settings: ClientSettings) => Library;
};

const scope = 'character_read';
const random = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

const urlsOf = ({ baseUrl }: ClientSettings) => ({
	authorization: `${baseUrl}/ws/oauth2/auth/`,
	token: `${baseUrl}/ws/oauth2/token/`
});

/** The state and the verifier of a new sign-in. */
function begin(session: LibrarySession): { readonly state: string; readonly verifier: string } {
	const begun = { state: random(), verifier: random() };
	Object.assign(session, begun);
	return begun;
}

/** The state and the verifier of a sign-in. */
function begunOf({ state, verifier }: LibrarySession): { readonly state: string; readonly verifier: string } {
	return { state: String(state), verifier: String(verifier) };
}

/** For libraries that leave the state and errors to the application: the code of a callback. */
function codeOf({ searchParams }: URL, session: LibrarySession): string {
	if (searchParams.get('state') !== begunOf(session).state) throw new Error('The state is wrong.');
	const code = searchParams.get('code');
	if (searchParams.has('error') || code === null) throw new Error('Access was denied.');
	return code;
}

function authorizationUrl(settings: ClientSettings, { state, verifier }: { state: string; verifier: string }): string {
	const query = new URLSearchParams({
		response_type: 'code',
		client_id: settings.clientId,
		redirect_uri: settings.redirectUri,
		scope,
		access_type: 'offline',
		state,
		code_challenge: challengeOf(verifier),
		code_challenge_method: 'S256'
	});
	return `${urlsOf(settings).authorization}?${query.toString()}`;
}

function withOauth4webapi(settings: ClientSettings): Library {
	const { baseUrl, clientId, clientSecret, redirectUri, fetch: send = fetch } = settings;
	const server = { issuer: baseUrl, token_endpoint: urlsOf(settings).token };
	const client = { client_id: clientId };
	const authentication = oauth4webapi.ClientSecretPost(clientSecret);
	const request = { [oauth4webapi.customFetch]: send };
	const option = { recognizedTokenTypes: { oauth: () => undefined } };
	return {
		authorize: async (session) => authorizationUrl(settings, begin(session)),
		async exchange(callback, session) {
			const { state, verifier } = begunOf(session);
			const parameters = oauth4webapi.validateAuthResponse(server, client, callback, state);
			const response = await oauth4webapi.authorizationCodeGrantRequest(
				server,
				client,
				authentication,
				parameters,
				redirectUri,
				verifier,
				request
			);
			return oauth4webapi.processAuthorizationCodeResponse(server, client, response, option);
		},
		async refresh(token) {
			const response = await oauth4webapi.refreshTokenGrantRequest(server, client, authentication, token, request);
			return oauth4webapi.processRefreshTokenResponse(server, client, response, option);
		}
	};
}

function withOpenidClient(settings: ClientSettings): Library {
	const { baseUrl, clientId, clientSecret, redirectUri, fetch: send = fetch } = settings;
	const { authorization, token: token_endpoint } = urlsOf(settings);
	const server = { issuer: baseUrl, authorization_endpoint: authorization, token_endpoint };
	const config = new openid.Configuration(server, clientId, clientSecret);
	config[openid.customFetch] = (url, options) =>
		send(url, {
			...options,
			body: options.body instanceof URLSearchParams ? options.body : null,
			signal: options.signal ?? null
		});
	return {
		async authorize(session) {
			const { state, verifier } = begin(session);
			return openid.buildAuthorizationUrl(config, {
				redirect_uri: redirectUri,
				scope,
				access_type: 'offline',
				state,
				code_challenge: challengeOf(verifier),
				code_challenge_method: 'S256'
			}).href;
		},
		exchange(callback, session) {
			const { state, verifier } = begunOf(session);
			return openid.authorizationCodeGrant(config, callback, { expectedState: state, pkceCodeVerifier: verifier });
		},
		refresh: (token) => openid.refreshTokenGrant(config, token)
	};
}

function withBadgateway(settings: ClientSettings): Library {
	const { authorization, token } = urlsOf(settings);
	const client = new BadgatewayClient({
		clientId: settings.clientId,
		clientSecret: settings.clientSecret,
		authorizationEndpoint: authorization,
		tokenEndpoint: token,
		authenticationMethod: 'client_secret_post',
		fetch: settings.fetch ?? fetch
	});
	const fieldsOf = (found: {
		accessToken: string;
		expiresAt: number | null;
		refreshToken: string | null;
	}): TokenFields => ({
		access_token: found.accessToken,
		expires_in: Math.round(((found.expiresAt ?? 0) - Date.now()) / 1000),
		...(found.refreshToken === null ? {} : { refresh_token: found.refreshToken })
	});
	return {
		async authorize(session) {
			const { state, verifier } = begin(session);
			return client.authorizationCode.getAuthorizeUri({
				redirectUri: settings.redirectUri,
				state,
				codeVerifier: verifier,
				scope: [scope],
				extraParams: { access_type: 'offline' }
			});
		},
		async exchange(callback, session) {
			const { state, verifier } = begunOf(session);
			const options = { redirectUri: settings.redirectUri, state, codeVerifier: verifier };
			return fieldsOf(await client.authorizationCode.getTokenFromCodeRedirect(callback, options));
		},
		refresh: async (token) =>
			fieldsOf(await client.refreshToken({ accessToken: '', expiresAt: null, refreshToken: token }))
	};
}

function withArctic(settings: ClientSettings): Library {
	const client = new arctic.OAuth2Client(settings.clientId, settings.clientSecret, settings.redirectUri);
	const { authorization, token: endpoint } = urlsOf(settings);
	const fieldsOf = (tokens: arctic.OAuth2Tokens): TokenFields => ({ ...tokens.data });
	return {
		async authorize(session) {
			const { state, verifier } = begin(session);
			const method = arctic.CodeChallengeMethod.S256;
			const url = client.createAuthorizationURLWithPKCE(authorization, state, method, verifier, [scope]);
			url.searchParams.set('access_type', 'offline');
			return url.href;
		},
		exchange: async (callback, session) =>
			fieldsOf(await client.validateAuthorizationCode(endpoint, codeOf(callback, session), begunOf(session).verifier)),
		refresh: async (token) => fieldsOf(await client.refreshAccessToken(endpoint, token, []))
	};
}

function withSimpleOauth2(settings: ClientSettings): Library {
	const { token } = urlsOf(settings);
	const { origin, pathname } = new URL(token);
	const client = new AuthorizationCode({
		client: { id: settings.clientId, secret: settings.clientSecret },
		auth: { tokenHost: origin, tokenPath: pathname, authorizePath: new URL(urlsOf(settings).authorization).pathname },
		options: { authorizationMethod: 'body' }
	});
	return {
		authorize: async (session) => authorizationUrl(settings, begin(session)),
		async exchange(callback, session) {
			const code = codeOf(callback, session);
			const request = { code, redirect_uri: settings.redirectUri, code_verifier: begunOf(session).verifier };
			return (await client.getToken(request)).token;
		},
		refresh: async (refresh_token) => (await client.createToken({ refresh_token }).refresh()).token
	};
}

/** Sends a token request by the package oauth. */
function requestToken(client: OAuth2, code: string, parameters: Record<string, string>): Promise<TokenFields> {
	return new Promise((resolve, reject) => {
		client.getOAuthAccessToken(code, parameters, (error: unknown, access_token, refresh_token, results: unknown) => {
			if (error !== null) return reject(new Error(JSON.stringify(error)));
			const fields: object = typeof results === 'object' && results !== null ? results : {};
			resolve({ ...fields, access_token, ...(refresh_token ? { refresh_token } : {}) });
		});
	});
}

function withOauth(settings: ClientSettings): Library {
	const { baseUrl, clientId, clientSecret, redirectUri } = settings;
	const client = new OAuth2(clientId, clientSecret, baseUrl, '/ws/oauth2/auth/', '/ws/oauth2/token/');
	return {
		authorize: async (session) => authorizationUrl(settings, begin(session)),
		exchange: async (callback, session) =>
			requestToken(client, codeOf(callback, session), {
				grant_type: 'authorization_code',
				redirect_uri: redirectUri,
				code_verifier: begunOf(session).verifier
			}),
		refresh: (token) => requestToken(client, token, { grant_type: 'refresh_token' })
	};
}

/** What passport-oauth2 reads of a request of Express. */
function expressRequest(session: LibrarySession, query: Record<string, string>): Request;
function expressRequest(session: LibrarySession, query: Record<string, string>): object {
	return { session, query, headers: {}, connection: {} };
}

class OfflineStrategy extends PassportStrategy {
	override authorizationParams(): object {
		return { access_type: 'offline' };
	}

	refresh(token: string): Promise<TokenFields> {
		return requestToken(this._oauth2, token, { grant_type: 'refresh_token' });
	}
}

/** @param pkce whether it sends a code challenge */
function withPassport(settings: ClientSettings, pkce: boolean): Library {
	const { authorization, token } = urlsOf(settings);
	const strategy = new OfflineStrategy(
		{
			authorizationURL: authorization,
			tokenURL: token,
			clientID: settings.clientId,
			clientSecret: settings.clientSecret,
			callbackURL: settings.redirectUri,
			scope,
			state: true,
			pkce
		},
		(
			access_token: string,
			refresh_token: string | undefined,
			results: object,
			_profile: unknown,
			done: PassportStrategy.VerifyCallback
		) => done(null, { ...results, access_token, ...(refresh_token ? { refresh_token } : {}) })
	);
	/** Passport calls an own strategy for each request. */
	const authenticate = (session: LibrarySession, query: Record<string, string>) =>
		new Promise<object>((resolve, reject) => {
			const one = Object.create(strategy);
			one.redirect = (url: string) => resolve({ url });
			one.success = (user: object) => resolve(user);
			one.fail = (info: unknown) => reject(new Error(JSON.stringify(info)));
			one.error = reject;
			one.authenticate(expressRequest(session, query), {});
		});
	return {
		async authorize(session) {
			const found = await authenticate(session, {});
			return 'url' in found ? String(found.url) : '';
		},
		exchange: async (callback, session) => ({
			...(await authenticate(session, Object.fromEntries(callback.searchParams)))
		}),
		refresh: (refreshToken) => strategy.refresh(refreshToken)
	};
}

/** The libraries, in the versions of the lock file. */
export const libraries: readonly LibraryRow[] = [
	{ name: 'oauth4webapi', create: withOauth4webapi },
	{ name: 'openid-client', isLenient: true, create: withOpenidClient },
	{ name: '@badgateway/oauth2-client', create: withBadgateway },
	{ name: 'arctic', isLenient: true, create: withArctic },
	{ name: 'simple-oauth2', create: withSimpleOauth2 },
	{ name: 'oauth', create: withOauth },
	{ name: 'passport-oauth2 with state', create: (settings) => withPassport(settings, false) },
	{ name: 'passport-oauth2 with state and PKCE', create: (settings) => withPassport(settings, true) }
];
