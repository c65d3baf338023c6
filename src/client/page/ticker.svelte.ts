/** The time, as something a page can depend on: it moves four times a second while the page is looked at. */
export class Ticker {
	/** Milliseconds since 1970, by this machine's clock. */
	now: number = $state(0);
	readonly #clock: () => number;

	constructor(clock: () => number) {
		this.#clock = clock;
		this.now = clock();
	}

	/**
	 * Starts it. `work` is called once a second, also while nobody looks. Returns what stops it.
	 */
	start(work: () => void): () => void {
		this.now = this.#clock();
		const show = setInterval(() => (this.now = this.#clock()), 250);
		const labour = setInterval(work, 1000);
		return () => {
			clearInterval(show);
			clearInterval(labour);
		};
	}
}
