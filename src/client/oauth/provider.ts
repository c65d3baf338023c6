import type { AuthorizationServer } from 'oauth4webapi';

/** The authorization server, with the metadata names of RFC 8414. These paths are those of section 4. */
export type Provider = Required<
	Pick<AuthorizationServer, 'issuer' | 'authorization_endpoint' | 'token_endpoint' | 'revocation_endpoint'>
>;

/**
 * The endpoints of section 4.
 * @param baseUrl of the service, without a trailing slash: `https://localhost:8443`
 * @example
 * createProvider('https://localhost:8443').token_endpoint; // 'https://localhost:8443/ws/oauth2/token/'
 */
export function createProvider(baseUrl: string): Provider {
	return {
		issuer: baseUrl,
		authorization_endpoint: `${baseUrl}/ws/oauth2/auth/`,
		token_endpoint: `${baseUrl}/ws/oauth2/token/`,
		revocation_endpoint: `${baseUrl}/ws/oauth2/revoke`
	};
}

/**
 * Whether requests to a URL stay on this machine: `localhost`, `127.0.0.1`, `[::1]`. Only these may use plain HTTP.
 * @param url absolute
 * @example
 * isLoopbackUrl('http://localhost:3000/callback'); // true
 */
export function isLoopbackUrl(url: string): boolean {
	return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
