/** Time without progress after which help is offered, in milliseconds. */
export const stuckAfter = 90_000;

/** Notices that a learner makes no progress. */
export class Stuck {
	isOffered = $state(false);
	readonly #now: () => number;
	#since: number;

	/** @param now in milliseconds */
	constructor(now: () => number) {
		this.#now = now;
		this.#since = now();
	}

	/** The learner made progress. */
	progress(): void {
		this.#since = this.#now();
		this.isOffered = false;
	}

	/** Call it at intervals. */
	check(): void {
		if (this.#now() - this.#since >= stuckAfter) this.isOffered = true;
	}
}
