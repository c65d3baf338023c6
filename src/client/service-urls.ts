/** The pages of a service that a client links to or requests. OAuth endpoints are in `oauth/provider.ts`. */
export type ServiceUrls = {
	/** The rate limiting status. Blacklisted clients can still request it (section 8.5). */
	readonly ratelimiting: string;
	readonly support: string;
	readonly account: string;
};

/**
 * The pages of a service.
 * @param baseUrl without a trailing slash: `https://localhost:8443`, `https://localhost:8443/~k3v9x2q7`
 */
export function serviceUrls(baseUrl: string): ServiceUrls {
	return {
		ratelimiting: `${baseUrl}/ratelimiting`,
		support: `${baseUrl}/console/support`,
		account: `${baseUrl}/account`
	};
}

/** The patterns that rate limits apply to (section 2.5). */
export const patterns = { character: '/ws/v2.0/character/*', ratelimits: '/ws/v2.0/ratelimits' } as const;

/**
 * The path of a character. Its name is one encoded path segment (section 4).
 * @param name as written: `Half/Life`, `100% Orc`
 * @param resource the segment before it, where a world has its own beside the specification's
 */
export function characterPath(name: string, resource = 'character'): string {
	return `/ws/v2.0/${resource}/${encodeURIComponent(name)}`;
}
