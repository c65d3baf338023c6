import type { HeaderName } from '../declare.ts';

/** The headers of each resource response (specification, section 8.4). */
export const limitHeaders: readonly HeaderName[] = [
	'X-RateLimit-Limit',
	'X-RateLimit-Remaining',
	'X-RateLimit-Reset',
	'X-RateLimit-ResetTime'
];

/** Why a resource rejects a request, besides its own reasons. */
export const tokenErrors = {
	400: 'More than one access token was sent, or the rate limit is exceeded (`rate_limit_exceeded`).',
	401: 'The access token is missing, unknown, expired or revoked.'
} as const;
