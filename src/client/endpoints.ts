import type { AuthorizationServer } from 'oauth4webapi';

/** Every address of a service, absolute (specification, section 4). */
export type Endpoints = {
	readonly base_url: string;
	readonly authorize: string;
	readonly token: string;
	readonly revoke: string;
	readonly ratelimits: string;
	/** The one address that is answered while the client is blacklisted (8.5). */
	readonly ratelimiting: string;
	readonly support: string;
	readonly account: string;
};

/** Which pattern of the rate limits a resource counts against. */
export const patterns = { character: '/ws/v2.0/character/*', ratelimits: '/ws/v2.0/ratelimits' } as const;

/**
 * The addresses of a service.
 * @param base_url without a trailing slash: `https://localhost:8443`, `https://localhost:8443/~k3v9x2q7`
 */
export function endpointsOf(base_url: string): Endpoints {
	return {
		base_url,
		authorize: `${base_url}/ws/oauth2/auth/`,
		token: `${base_url}/ws/oauth2/token/`,
		revoke: `${base_url}/ws/oauth2/revoke`,
		ratelimits: `${base_url}/ws/v2.0/ratelimits`,
		ratelimiting: `${base_url}/ratelimiting`,
		support: `${base_url}/support`,
		account: `${base_url}/account`
	};
}

/**
 * The address of a character; its name is one encoded path segment (section 4).
 * @param base_url without a trailing slash
 * @param name as people write it: `Half/Life`, `100% Orc`
 */
export function characterAddress(base_url: string, name: string): string {
	return `${base_url}/ws/v2.0/character/${encodeURIComponent(name)}`;
}

/** Whether an address is one of this machine: `localhost`, `127.0.0.1`, `[::1]`. */
export function isOnThisMachine(address: string): boolean {
	return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);
}

/**
 * The service as oauth4webapi wants it described. There is no discovery, so this is all that it knows.
 * @param endpoints of the service
 */
export function authorizationServer(endpoints: Endpoints): AuthorizationServer {
	return {
		issuer: endpoints.base_url,
		authorization_endpoint: endpoints.authorize,
		token_endpoint: endpoints.token
	};
}
