import { remainingAt, type RateLimit } from './rate-limit-headers.ts';

/** No request is delayed longer than this, in milliseconds. */
const maxDelay = 20_000;
/** Throttling starts below this share of the limit, and is strongest at the second one. */
const startBelow = 0.5;
const fullBelow = 0.1;

/**
 * How long to delay the next request, in milliseconds (section 8.9). No delay while at least half of the limit is left. Then
 * the delay grows until the remaining calls are spread evenly over the time to the reset.
 * @param rateLimit of the last response
 * @param now milliseconds since 1970 by the service's clock
 * @example
 * throttleDelay({ limit: 20, remaining: 10, reset: 60_000 }, 0); // 0
 * throttleDelay({ limit: 20, remaining: 2, reset: 20_000 }, 0); // 10000
 */
export function throttleDelay(rateLimit: RateLimit | undefined, now: number): number {
	if (rateLimit === undefined || now >= rateLimit.reset) return 0;
	const remaining = remainingAt(rateLimit, now);
	if (remaining === 0) return 0;
	const strength = Math.min(1, Math.max(0, (startBelow - remaining / rateLimit.limit) / (startBelow - fullBelow)));
	return Math.round(Math.min(maxDelay, ((rateLimit.reset - now) / remaining) * strength));
}
