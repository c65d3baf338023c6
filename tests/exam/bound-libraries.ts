import * as oauth from 'oauth4webapi';
import type { LibraryRow } from './libraries.ts';
import type { ClientSettings, Library, LibrarySession, TokenFields } from './reference-client.ts';

/** What a client does beside the code flow. */
type Extras = {
	/** Pushes its authorization requests (RFC 9126). */
	readonly par?: boolean;
	/** Binds its tokens to a key (RFC 9449). */
	readonly dpop?: boolean;
	/** Sends an OpenID Connect `max_age`, and compares `auth_time` and `exp` with its own clock. */
	readonly maxAge?: number;
};

const textOf = (session: LibrarySession, name: string): string => String(session[name]);

/** oauth4webapi, as its examples use it. Its proofs and ID tokens are dated and judged by the clock of the machine. */
function withOauth4webapi(settings: ClientSettings, { par = false, dpop = false, maxAge }: Extras): Library {
	const { baseUrl, clientId, clientSecret, redirectUri, fetch: send = fetch } = settings;
	const issuer = new URL(baseUrl);
	const client: oauth.Client = { client_id: clientId };
	const authentication = oauth.ClientSecretPost(clientSecret);
	// Node's `fetch` sends this header to a server.
	const asNode: typeof fetch = (url, init) => {
		const headers = new Headers(init?.headers);
		headers.set('sec-fetch-mode', 'cors');
		return send(url, { ...init, headers });
	};
	const customFetch = { [oauth.customFetch]: (url: string, init: object) => asNode(url, init) };
	const proof = async () => (dpop ? { DPoP: await handle() } : {});
	let keys: Promise<oauth.DPoPHandle> | undefined;
	const handle = () => (keys ??= oauth.generateKeyPair('ES256').then((pair) => oauth.DPoP(client, pair)));
	let found: Promise<oauth.AuthorizationServer> | undefined;
	const discover = async () =>
		oauth.processDiscoveryResponse(
			issuer,
			await oauth.discoveryRequest(issuer, { ...customFetch, algorithm: 'oauth2' })
		);
	const server = () => (found ??= discover());
	return {
		async authorize(session) {
			const at = await server();
			const verifier = oauth.generateRandomCodeVerifier();
			const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
			Object.assign(session, { verifier, state, nonce });
			const request = new URLSearchParams({
				response_type: 'code',
				redirect_uri: redirectUri,
				scope: maxAge === undefined ? 'character_read' : 'openid character_read',
				state,
				code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
				code_challenge_method: 'S256',
				...(maxAge === undefined ? {} : { nonce, max_age: String(maxAge) })
			});
			const url = new URL(at.authorization_endpoint ?? '');
			if (par) {
				const options = { ...customFetch, ...(await proof()) };
				const response = await oauth.pushedAuthorizationRequest(at, client, authentication, request, options);
				const { request_uri } = await oauth.processPushedAuthorizationResponse(at, client, response);
				url.search = new URLSearchParams({ client_id: clientId, request_uri }).toString();
			} else {
				request.set('client_id', clientId);
				url.search = request.toString();
			}
			return url.href;
		},
		async exchange(callback, session): Promise<TokenFields> {
			const at = await server();
			const parameters = oauth.validateAuthResponse(at, client, callback, textOf(session, 'state'));
			const sent = [at, client, authentication, parameters, redirectUri, textOf(session, 'verifier')] as const;
			const response = await oauth.authorizationCodeGrantRequest(...sent, { ...customFetch, ...(await proof()) });
			const id = maxAge === undefined ? {} : { expectedNonce: textOf(session, 'nonce'), maxAge, requireIdToken: true };
			return oauth.processAuthorizationCodeResponse(at, client, response, id);
		},
		async refresh(token) {
			const at = await server();
			const options = { ...customFetch, ...(await proof()) };
			const response = await oauth.refreshTokenGrantRequest(at, client, authentication, token, options);
			return oauth.processRefreshTokenResponse(at, client, response);
		},
		...(dpop && {
			call: async (token: string, url: URL) => {
				const options = { ...customFetch, ...(await proof()) };
				try {
					return await oauth.protectedResourceRequest(token, 'GET', url, undefined, null, options);
				} catch (error) {
					// The library rejects with the challenge of a 401.
					if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
					throw error;
				}
			}
		})
	};
}

const row = (name: string, extras: Extras): LibraryRow => ({
	name: `oauth4webapi with ${name}`,
	create: (settings) => withOauth4webapi(settings, extras)
});

/** Clients that date what they send, and push what they ask for. */
export const boundLibraries: readonly LibraryRow[] = [
	row('pushed requests', { par: true }),
	row('DPoP', { dpop: true }),
	row('DPoP and pushed requests', { dpop: true, par: true }),
	row('max_age', { maxAge: 3600 })
];
