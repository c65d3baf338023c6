/** This machine's clock as a reactive value. */
export class Clock {
	/** Milliseconds since 1970. Changes four times a second while the clock runs. */
	now: number = $state(0);
	readonly #now: () => number;

	constructor(now: () => number) {
		this.#now = now;
		this.now = now();
	}

	/**
	 * Starts the clock.
	 * @param everySecond called once a second
	 * @returns a function that stops it
	 */
	start(everySecond: () => void): () => void {
		this.now = this.#now();
		const timers = [setInterval(() => (this.now = this.#now()), 250), setInterval(everySecond, 1000)];
		return () => timers.forEach(clearInterval);
	}
}
