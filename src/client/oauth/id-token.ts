import * as oauth from 'oauth4webapi';
import type { Provider } from './provider.ts';
import { sendRequest, type Fetch } from './send-request.ts';

/** What a verified ID token says, by claim. Values that are no text are JSON. */
export type IdentityClaims = Readonly<Record<string, string>>;

/** The provider, with what a check of ID tokens needs of its metadata. */
export type IdTokenIssuer = Provider & {
	readonly jwks_uri: string;
	readonly id_token_signing_alg_values_supported: string[];
};

/**
 * The provider as an issuer of ID tokens.
 * @example
 * idTokenIssuer(createProvider('https://localhost:8443')).jwks_uri; // 'https://localhost:8443/ws/oauth2/jwks'
 */
export function idTokenIssuer(provider: Provider): IdTokenIssuer {
	return {
		...provider,
		jwks_uri: `${provider.issuer}/ws/oauth2/jwks`,
		id_token_signing_alg_values_supported: ['RS256', 'ES256']
	};
}

/**
 * Checks the signature of the ID token in a token response whose claims oauth4webapi has validated already (OpenID Connect Core 1.0,
 * section 3.1.3.7).
 * @param response what oauth4webapi read `tokens` from
 * @returns the claims; undefined if the response has no ID token
 * @throws an error of oauth4webapi for a wrong signature or an unknown key; {ClientError} `no_response` if the keys cannot be read
 * @example
 * const claims = await verifyIdToken(issuer, response, tokens, { fetch });
 */
export async function verifyIdToken(
	issuer: IdTokenIssuer,
	response: Response,
	tokens: oauth.TokenEndpointResponse,
	{ fetch, allowHttp }: { readonly fetch: Fetch; readonly allowHttp: boolean }
): Promise<IdentityClaims | undefined> {
	const claims = oauth.getValidatedIdTokenClaims(tokens);
	if (claims === undefined) return undefined;
	await oauth.validateApplicationLevelSignature(issuer, response, {
		[oauth.customFetch]: async (url, { method }) => {
			const { status, headers, text } = await sendRequest(fetch, url, {
				method,
				headers: { accept: 'application/json' }
			});
			return new Response(text, { status, headers: { 'content-type': headers.get('content-type') ?? '' } });
		},
		[oauth.allowInsecureRequests]: allowHttp
	});
	const entries = Object.entries(claims).map(([name, value]): [string, string] => [
		name,
		typeof value === 'string' ? value : JSON.stringify(value)
	]);
	return Object.fromEntries(entries);
}
