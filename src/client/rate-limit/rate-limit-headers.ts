/** The rate limit that a response reports in its headers (section 8.4). */
export type RateLimit = {
	/** Calls allowed in the window. */
	readonly limit: number;
	/** Calls left in the window. */
	readonly remaining: number;
	/** When the window resets, in milliseconds since 1970 by the service's clock. */
	readonly reset: number;
};

/**
 * Reads the `X-RateLimit-…` headers; undefined if one is missing or invalid.
 * @param headers of any response
 * @example
 * const headers = { 'X-RateLimit-Limit': '20', 'X-RateLimit-Remaining': '19', 'X-RateLimit-Reset': '1893456000' };
 * parseRateLimitHeaders(new Headers(headers)); // { limit: 20, remaining: 19, reset: 1893456000000 }
 */
export function parseRateLimitHeaders(headers: Headers): RateLimit | undefined {
	const limit = parseInteger(headers.get('x-ratelimit-limit'));
	const remaining = parseInteger(headers.get('x-ratelimit-remaining'));
	const reset = parseInteger(headers.get('x-ratelimit-reset'));
	if (limit === undefined || remaining === undefined || reset === undefined || limit === 0) return undefined;
	return { limit, remaining: Math.min(remaining, limit), reset: reset * 1000 };
}

/**
 * The calls that are left: after the reset all of them (section 8.6).
 * @param now milliseconds since 1970 by the service's clock
 * @example
 * remainingAt({ limit: 20, remaining: 3, reset: 1000 }, 999); // 3
 * remainingAt({ limit: 20, remaining: 3, reset: 1000 }, 1000); // 20
 */
export function remainingAt({ limit, remaining, reset }: RateLimit, now: number): number {
	return now >= reset ? limit : remaining;
}

function parseInteger(text: string | null): number | undefined {
	return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
