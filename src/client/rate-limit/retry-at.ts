/** Limits of the wait, in milliseconds. A window is an hour, so no reset is further away. */
const minWait = 1000;
const maxWait = 3_600_000;
/** Random delay after the reset, so that not all clients return at once. */
const maxJitter = 2000;

/**
 * Remembers which patterns have reached their limit, and when to try them again. Times are by the service's clock.
 * @example
 * const retryAt = new RetryAt(() => 0);
 * retryAt.block('/ws/v2.0/character/*', 61_000, 1000); // 61000
 * retryAt.blockedUntil('/ws/v2.0/character/*', 2000); // 61000
 */
export class RetryAt {
	readonly #times = new Map<string, number>();
	readonly #random: () => number;

	/** @param random a number from 0 up to 1 */
	constructor(random: () => number = Math.random) {
		this.#random = random;
	}

	/**
	 * Blocks a pattern until its reset.
	 * @param reset of the rejected response; without one, a minute from now
	 * @param now milliseconds since 1970
	 * @returns when to try again, in milliseconds since 1970
	 */
	block(pattern: string, reset: number | undefined, now: number): number {
		const wait = Math.min(maxWait, Math.max(minWait, (reset ?? now + 60_000) - now));
		const time = now + wait + this.#random() * maxJitter;
		this.#times.set(pattern, time);
		return time;
	}

	/** Until when a pattern is blocked, in milliseconds since 1970; undefined: it is not. */
	blockedUntil(pattern: string, now: number): number | undefined {
		const time = this.#times.get(pattern);
		if (time === undefined) return undefined;
		if (now < time && time - now <= maxWait + maxJitter) return time;
		this.#times.delete(pattern);
		return undefined;
	}

	/** Unblocks a pattern: a response reported remaining calls. */
	unblock(pattern: string): void {
		this.#times.delete(pattern);
	}
}
