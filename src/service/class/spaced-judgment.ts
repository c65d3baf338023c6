/** A judgment of the traffic, which is made again only after a while, because a busy seat changes it many times a second. */
export class SpacedJudgment<T> {
	made = -Infinity;
	isStale = true;
	last: T;
	readonly #nothing: T;

	constructor(nothing: T) {
		this.#nothing = this.last = nothing;
	}

	/** @param interval how long the last one is good enough, in milliseconds */
	isDue(now: number, interval: number): boolean {
		return this.isStale && (now - this.made >= interval || now < this.made);
	}

	make(now: number, judgment: T): void {
		this.made = now;
		this.isStale = false;
		this.last = judgment;
	}

	forget(): void {
		this.made = -Infinity;
		this.isStale = true;
		this.last = this.#nothing;
	}
}
