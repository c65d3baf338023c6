import * as oauth from 'oauth4webapi';
import type { ClientRegistration } from './client-registration.ts';
import { ClientError, sanitizeLine, toClientError } from './client-error.ts';
import type { OAuthEventListener } from './events.ts';
import { idTokenIssuer, verifyIdToken, type IdentityClaims } from './id-token.ts';
import type { PendingAuthorization } from './pending-authorizations.ts';
import { isLoopbackUrl, type Provider } from './provider.ts';
import { sendRequest, type Fetch } from './send-request.ts';
import { isXml, normalizeTokenResponse, parseExpiresIn } from './token-response.ts';
import type { TokenResponse, TokenXmlParser } from './token-response.ts';

/** Options of `TokenEndpoint`. */
export type TokenEndpointOptions = {
	readonly fetch?: Fetch;
	/** The encoding to ask for; JSON by default. XML also needs `parseXml`. */
	readonly format?: () => 'json' | 'xml';
	readonly parseXml?: TokenXmlParser;
	/** The service's clock, in milliseconds since 1970: ID tokens expire by it. Default: `Date.now`. */
	readonly now?: () => number;
	readonly onEvent?: OAuthEventListener;
};

/** The service's token type has the name of the authorization scheme: `OAuth` (section 5). */
const recognizedTokenTypes = { oauth: () => undefined };

/**
 * Sends token requests (section 2.3). It holds the client secret, so a web application runs it on its server.
 * @example
 * const tokenEndpoint = new TokenEndpoint(createProvider('https://localhost:8443'), client);
 */
export class TokenEndpoint {
	readonly provider: Provider;
	readonly client: ClientRegistration;
	readonly #options: TokenEndpointOptions;
	readonly #authentication: oauth.ClientAuth;
	readonly #requestOptions: oauth.TokenEndpointRequestOptions;

	constructor(provider: Provider, client: ClientRegistration, options: TokenEndpointOptions = {}) {
		this.provider = provider;
		this.client = client;
		this.#options = options;
		this.#authentication = oauth.ClientSecretPost(client.client_secret);
		this.#requestOptions = {
			[oauth.customFetch]: (url, init) => this.#send(url, init),
			[oauth.allowInsecureRequests]: isLoopbackUrl(provider.token_endpoint)
		};
	}

	/**
	 * Exchanges an authorization code. Never call it twice for a code: the service revokes the tokens of a code that is used
	 * again (RFC 6749, section 4.1.2).
	 * @param params the authorization response, checked by `oauth.validateAuthResponse`
	 * @param pending the request that it belongs to
	 * @throws {ClientError} the service's error code, `no_response`, `unexpected_response` (also for an ID token that is not valid)
	 */
	async exchangeCode(params: URLSearchParams, pending: PendingAuthorization): Promise<TokenResponse> {
		const { client, provider } = this;
		const { fetch = globalThis.fetch, now = Date.now, onEvent } = this.#options;
		// The service rejects a verifier without a challenge.
		const verifier = pending.code_verifier ?? oauth.nopkce;
		// An installed application asks for offline access here (section 2.1).
		const additionalParameters: Record<string, string> =
			client.kind === 'installed' ? { access_type: pending.access_type } : {};
		let claims: IdentityClaims | undefined;
		const received = await this.#execute(async () => {
			const response = await oauth.authorizationCodeGrantRequest(
				provider,
				client,
				this.#authentication,
				params,
				pending.redirect_uri,
				verifier,
				{ ...this.#requestOptions, additionalParameters }
			);
			const issuer = idTokenIssuer(provider);
			const skewed = { ...client, [oauth.clockSkew]: Math.round((now() - Date.now()) / 1000) };
			const tokens = await oauth.processAuthorizationCodeResponse(issuer, skewed, response, {
				recognizedTokenTypes,
				...(pending.nonce === undefined ? {} : { expectedNonce: pending.nonce })
			});
			claims = await verifyIdToken(issuer, response, tokens, { fetch, allowHttp: isLoopbackUrl(issuer.jwks_uri) });
			return tokens;
		});
		if (claims === undefined) return received;
		onEvent?.({ type: 'id_token_verified', issuer: provider.issuer, claims: Object.keys(claims) });
		return { ...received, claims };
	}

	/**
	 * Gets a new access token (section 2.3).
	 * @throws {ClientError} the service's error code (`invalid_grant`: access was revoked), `no_response`, `unexpected_response`
	 */
	async refresh(refresh_token: string): Promise<TokenResponse> {
		const { client, provider } = this;
		return this.#execute(async () => {
			const request = [provider, client, this.#authentication, refresh_token, this.#requestOptions] as const;
			const response = await oauth.refreshTokenGrantRequest(...request);
			return oauth.processRefreshTokenResponse(provider, client, response, { recognizedTokenTypes });
		});
	}

	async #send(url: string, init: oauth.CustomFetchOptions<'POST', URLSearchParams>): Promise<Response> {
		const { fetch = globalThis.fetch, format, parseXml, onEvent } = this.#options;
		const accept = format?.() === 'xml' ? 'application/xml' : 'application/json';
		const { method, body, headers, redirect } = init;
		const response = await sendRequest(fetch, url, { method, body, redirect, headers: { ...headers, accept } });
		const normalized = normalizeTokenResponse(response, parseXml);
		if (isXml(response.headers)) onEvent?.({ type: 'xml_converted' });
		return normalized;
	}

	async #execute(send: () => Promise<oauth.TokenEndpointResponse>): Promise<TokenResponse> {
		try {
			const { access_token, refresh_token, scope, expires_in, token_type } = await send();
			return {
				scheme: token_type === 'bearer' ? 'Bearer' : 'OAuth',
				access_token,
				refresh_token: refresh_token ?? null,
				scope: scope?.split(' ').filter((name) => name !== '') ?? null,
				lifetime: parseExpiresIn(expires_in)
			};
		} catch (thrown) {
			throw tokenErrorOf(thrown);
		}
	}
}

function tokenErrorOf(thrown: unknown): ClientError {
	if (thrown instanceof oauth.ResponseBodyError) {
		const { error, error_description = '', response } = thrown;
		const details = { ...detailsOf(response), cause: thrown };
		return new ClientError(sanitizeLine(error), sanitizeLine(error_description), details);
	}
	if (!(thrown instanceof oauth.OperationProcessingError)) return toClientError(thrown);
	const { cause } = thrown;
	if (!(cause instanceof Response) || cause.ok) {
		const details = cause instanceof Response ? detailsOf(cause) : {};
		return new ClientError('unexpected_response', sanitizeLine(thrown.message), details);
	}
	const code = cause.status >= 500 ? 'server_error' : 'unexpected_response';
	return new ClientError(code, `The token endpoint returned ${String(cause.status)}.`, detailsOf(cause));
}

function detailsOf({ status, headers }: Response): { status: number; requestId?: string } {
	const requestId = headers.get('x-request-id');
	return requestId === null ? { status } : { status, requestId };
}
