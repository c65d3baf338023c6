import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { boundLibraries } from './bound-libraries.ts';
import { libraries, type LibraryRow } from './libraries.ts';
import type { ClientSettings, Library, LibrarySession, TokenFields } from './reference-client.ts';

/** The text that a sign-in keeps under a name. */
const textOf = (session: LibrarySession, name: string): string => String(session[name]);

/** With the issuer only: the endpoints are those of the metadata, and `iss` is compared. */
function withOauth4webapi({
	baseUrl,
	clientId,
	clientSecret,
	redirectUri,
	fetch: send = fetch
}: ClientSettings): Library {
	const issuer = new URL(baseUrl);
	const client = { client_id: clientId };
	const authentication = oauth.ClientSecretBasic(clientSecret);
	const request = { [oauth.customFetch]: send };
	let found: Promise<oauth.AuthorizationServer> | undefined;
	const discover = async () => {
		const toMetadata = (url: string) => send(url);
		const options = { [oauth.customFetch]: toMetadata, algorithm: 'oauth2' } as const;
		const response = await oauth.discoveryRequest(issuer, options);
		return oauth.processDiscoveryResponse(issuer, response);
	};
	const server = () => (found ??= discover());
	return {
		async authorize(session) {
			const verifier = oauth.generateRandomCodeVerifier();
			const state = oauth.generateRandomState();
			Object.assign(session, { verifier, state });
			const url = new URL((await server()).authorization_endpoint ?? '');
			url.search = new URLSearchParams({
				response_type: 'code',
				client_id: clientId,
				redirect_uri: redirectUri,
				scope: 'character_read',
				state,
				code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
				code_challenge_method: 'S256'
			}).toString();
			return url.href;
		},
		async exchange(callback, session) {
			const at = await server();
			const parameters = oauth.validateAuthResponse(at, client, callback, textOf(session, 'state'));
			const sent = [at, client, authentication, parameters, redirectUri, textOf(session, 'verifier')] as const;
			const response = await oauth.authorizationCodeGrantRequest(...sent, request);
			return oauth.processAuthorizationCodeResponse(at, client, response);
		},
		async refresh(token) {
			const at = await server();
			const response = await oauth.refreshTokenGrantRequest(at, client, authentication, token, request);
			return oauth.processRefreshTokenResponse(at, client, response);
		}
	};
}

/** Signs in with OpenID Connect. @param pkce false: a nonce protects the sign-in in place of a code challenge */
function withOpenidClient(settings: ClientSettings, pkce: boolean): Library {
	const { baseUrl, clientId, clientSecret, redirectUri, fetch: send = fetch } = settings;
	const customFetch: openid.CustomFetch = (url, { body, signal, ...options }) =>
		send(url, { ...options, body: body instanceof URLSearchParams ? body : null, signal: signal ?? null });
	let found: Promise<openid.Configuration> | undefined;
	const discover = () =>
		openid.discovery(new URL(baseUrl), clientId, clientSecret, undefined, { [openid.customFetch]: customFetch });
	const server = () => (found ??= discover());
	return {
		async authorize(session) {
			const verifier = openid.randomPKCECodeVerifier();
			const [state, nonce] = [openid.randomState(), openid.randomNonce()];
			Object.assign(session, { verifier, state, nonce });
			const challenge = {
				code_challenge: await openid.calculatePKCECodeChallenge(verifier),
				code_challenge_method: 'S256'
			};
			const scope = 'openid profile character_read';
			const request = { redirect_uri: redirectUri, scope, state, nonce, ...(pkce ? challenge : {}) };
			return openid.buildAuthorizationUrl(await server(), request).href;
		},
		exchange: async (callback, session) =>
			openid.authorizationCodeGrant(await server(), callback, {
				expectedState: textOf(session, 'state'),
				expectedNonce: textOf(session, 'nonce'),
				idTokenExpected: true,
				...(pkce ? { pkceCodeVerifier: textOf(session, 'verifier') } : {})
			}),
		refresh: async (token) => openid.refreshTokenGrant(await server(), token)
	};
}

/** Signs in with a nonce in place of PKCE, and takes any state and any ID token. */
export function withoutIdToken({
	baseUrl,
	clientId,
	clientSecret,
	redirectUri,
	fetch: send = fetch
}: ClientSettings): Library {
	const token = async (fields: Record<string, string>): Promise<TokenFields> => {
		const body = new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret });
		const response = await send(`${baseUrl}/ws/oauth2/token/`, { method: 'POST', body });
		if (!response.ok) throw new Error(await response.text());
		const data: unknown = await response.json();
		return typeof data === 'object' && data !== null ? { ...data } : {};
	};
	return {
		authorize: () => {
			const request = {
				response_type: 'code',
				client_id: clientId,
				redirect_uri: redirectUri,
				scope: 'openid character_read'
			};
			const fresh = { state: oauth.generateRandomState(), nonce: oauth.generateRandomNonce() };
			return Promise.resolve(`${baseUrl}/ws/oauth2/auth/?${new URLSearchParams({ ...request, ...fresh }).toString()}`);
		},
		exchange: (callback) =>
			token({
				grant_type: 'authorization_code',
				code: callback.searchParams.get('code') ?? '',
				redirect_uri: redirectUri
			}),
		refresh: (refresh_token) => token({ grant_type: 'refresh_token', refresh_token })
	};
}

/** The libraries, as clients of today's standards use them. */
export const standardLibraries: readonly LibraryRow[] = [
	{ name: 'oauth4webapi with the issuer only', create: withOauth4webapi },
	{ name: 'openid-client with OpenID Connect', create: (settings) => withOpenidClient(settings, true) },
	{ name: 'openid-client with a nonce, without PKCE', create: (settings) => withOpenidClient(settings, false) },
	...boundLibraries,
	// The service rejects a sign-in without PKCE.
	...libraries.filter(({ name }) => name !== 'passport-oauth2 with state')
];
