import type { Budget } from '../resources/ledger.ts';

/** A window is an hour; no `Reset` makes us wait longer. */
const longest = 3_600_000;
const shortest = 1000;

/**
 * Remembers which patterns are used up, and until when: the reset that the service named, by the service's clock, clamped
 * to what is possible, with up to two seconds added by chance so that not everybody comes back at once.
 */
export class LimitGate {
	readonly #until = new Map<string, number>();
	readonly #jitter: () => number;

	/** @param jitter a number from 0 up to 1 */
	constructor(jitter: () => number) {
		this.#jitter = jitter;
	}

	/**
	 * Closes for a pattern.
	 * @param budget what the refusal's headers said
	 * @param now milliseconds, by the service's clock
	 * @returns until when, in milliseconds by the service's clock
	 */
	close(pattern: string, budget: Budget | undefined, now: number): number {
		const wait = Math.min(longest, Math.max(shortest, (budget?.reset ?? now + 60_000) - now));
		const until = now + wait + this.#jitter() * 2000;
		this.#until.set(pattern, until);
		return until;
	}

	/** Until when a pattern is closed; undefined where it is open. */
	closedUntil(pattern: string, now: number): number | undefined {
		const until = this.#until.get(pattern);
		if (until === undefined) return undefined;
		if (now < until && until - now <= longest + 2000) return until;
		this.#until.delete(pattern);
		return undefined;
	}

	/** Opens a pattern early: an answer said that there is budget again. */
	open(pattern: string): void {
		this.#until.delete(pattern);
	}
}
