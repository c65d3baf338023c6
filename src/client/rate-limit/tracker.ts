import type { RateLimit } from './rate-limit-headers.ts';

/** The latest known rate limit of one pattern. */
export type TrackedRateLimit = RateLimit & {
	/** The resources that share the limit: `/ws/v2.0/character/*` (section 2.5). */
	readonly pattern: string;
	/** When the last response arrived, in milliseconds since 1970 by the service's clock. */
	readonly updatedAt: number;
};

/**
 * Keeps the latest rate limit of each pattern, as the headers of the responses report it.
 * @example
 * const tracker = new RateLimitTracker();
 * tracker.update('/ws/v2.0/character/*', { limit: 20, remaining: 19, reset: 1_893_456_000_000 }, Date.now());
 * tracker.get('/ws/v2.0/character/*')?.remaining; // 19
 */
export class RateLimitTracker {
	readonly #rateLimits = new Map<string, TrackedRateLimit>();

	/** All patterns, in the order in which they became known. */
	get all(): readonly TrackedRateLimit[] {
		return [...this.#rateLimits.values()];
	}

	get(pattern: string): TrackedRateLimit | undefined {
		return this.#rateLimits.get(pattern);
	}

	/**
	 * Takes in the headers of a response. Responses of parallel calls may arrive in any order, so `remaining` only falls
	 * within a window, and a response of an earlier window is ignored. A request that was sent after the last response knows more than it:
	 * where requests become available one by one, its reset may be the earlier one.
	 * @param now milliseconds since 1970 by the service's clock
	 * @param sentAt when the request was sent, by the same clock
	 * @returns the current rate limit
	 */
	update(pattern: string, rateLimit: RateLimit, now: number, sentAt = -Infinity): TrackedRateLimit {
		const known = this.#rateLimits.get(pattern);
		const isOlder = known !== undefined && rateLimit.reset < known.reset && rateLimit.reset <= now + 1000;
		if (isOlder && sentAt < known.updatedAt) return known;
		const isSameWindow = known?.reset === rateLimit.reset && known.limit === rateLimit.limit;
		const remaining =
			isSameWindow && sentAt <= known.updatedAt ? Math.min(known.remaining, rateLimit.remaining) : rateLimit.remaining;
		const tracked = { ...rateLimit, remaining, pattern, updatedAt: now };
		this.#rateLimits.set(pattern, tracked);
		return tracked;
	}
}
