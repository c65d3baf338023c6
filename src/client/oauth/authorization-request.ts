import type { AccessType, ClientRegistration } from './client-registration.ts';
import type { PendingAuthorizations } from './pending-authorizations.ts';
import type { Provider } from './provider.ts';

/** What the authorization request asks for (section 2.1). */
export type AuthorizationOptions = {
	/** The permissions that the user is asked for. */
	readonly scope: readonly string[];
	/** `online` by default. */
	readonly access_type?: AccessType;
	/** Whether the token also covers permissions that were granted earlier. */
	readonly renew_previously_granted?: boolean;
	/** PKCE with S256 (RFC 7636); on by default. */
	readonly pkce?: boolean;
	/** The ended token set that this sign-in replaces. */
	readonly tokenSetId?: string | null;
};

/** The random values that bind a response to its request. Created for each request. */
export type FlowSecrets = {
	readonly state: string;
	readonly code_verifier: string;
	readonly code_challenge: string;
	/** Binds an ID token to its request. It is sent where the scope has `openid`. */
	readonly nonce?: string;
};

/**
 * Creates a state and a nonce of 256 random bits each, and a PKCE pair. Browsers only allow this on pages with HTTPS, or on localhost.
 * @example
 * const secrets = await createFlowSecrets();
 * const url = authorizationUrl(provider, client, { scope: ['character_read'] }, secrets);
 */
export async function createFlowSecrets(): Promise<FlowSecrets> {
	const code_verifier = randomText();
	return { state: randomText(), code_verifier, code_challenge: await challengeOf(code_verifier), nonce: randomText() };
}

/** The code challenge of a verifier: its SHA-256 hash in base64url (RFC 7636 §4.2). */
export async function challengeOf(code_verifier: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code_verifier));
	return base64url(new Uint8Array(digest));
}

/** 256 random bits. */
export function randomText(): string {
	return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Bytes as base64url without padding (RFC 4648, section 5). */
export function base64url(bytes: Uint8Array): string {
	const base64 = btoa(String.fromCharCode(...bytes));
	return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * The authorization URL with the parameters of section 2.1.
 * @example
 * const url = authorizationUrl(provider, client, { scope: ['character_read'] }, await createFlowSecrets());
 * url.searchParams.get('response_type'); // 'code'
 */
export function authorizationUrl(
	provider: Provider,
	client: ClientRegistration,
	options: AuthorizationOptions,
	secrets: FlowSecrets
): URL {
	const { scope, access_type = 'online', renew_previously_granted = false, pkce = true } = options;
	const parameters = [
		['response_type', 'code'],
		['client_id', client.client_id],
		['redirect_uri', client.redirect_uri],
		['scope', [...new Set(scope)].join(' ')],
		['state', secrets.state],
		...(asksForIdentity(options) && secrets.nonce !== undefined ? [['nonce', secrets.nonce]] : []),
		// The request of an installed application has no access_type (section 2.1). Its token request has one.
		...(client.kind === 'web' ? [['access_type', access_type]] : []),
		...(renew_previously_granted ? [['renew_previously_granted', 'yes']] : []),
		...(pkce ? [['code_challenge', secrets.code_challenge] as const, ['code_challenge_method', 'S256'] as const] : [])
	];
	const query = parameters.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`).join('&');
	return new URL(`${provider.authorization_endpoint}?${query}`);
}

/**
 * Starts a sign-in: creates state and PKCE, saves them, and returns the URL to send the user to (section 2.1).
 * @param secrets created earlier, for example to show the URL before the user leaves
 * @throws whatever the store throws; don't send the user away then
 * @example
 * const url = await startAuthorization(provider, client, { scope: ['character_read'], access_type: 'offline' }, pending);
 * location.assign(url);
 */
export async function startAuthorization(
	provider: Provider,
	client: ClientRegistration,
	options: AuthorizationOptions,
	pending: PendingAuthorizations,
	secrets?: FlowSecrets
): Promise<URL> {
	const used = secrets ?? (await createFlowSecrets());
	const { state, code_verifier, nonce } = used;
	await pending.add({
		state,
		issuer: provider.issuer,
		redirect_uri: client.redirect_uri,
		scope: options.scope,
		access_type: options.access_type ?? 'online',
		code_verifier: options.pkce === false ? null : code_verifier,
		tokenSetId: options.tokenSetId ?? null,
		...(asksForIdentity(options) && nonce !== undefined ? { nonce } : {})
	});
	return authorizationUrl(provider, client, options, used);
}

/** Whether a request asks for an ID token (OpenID Connect Core 1.0, section 3.1.2.1). */
function asksForIdentity({ scope }: Pick<AuthorizationOptions, 'scope'>): boolean {
	return scope.includes('openid');
}
