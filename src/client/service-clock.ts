/**
 * The time at the service, told from the `Date` of its answers: this machine's clock may be minutes off, and the clock
 * of a sandbox can be moved. `Date` has whole seconds, so each answer gives an interval that the difference must lie in;
 * several narrow it down to a fraction of a second, and one that contradicts them starts anew.
 */
export class ServiceClock {
	readonly #local: () => number;
	readonly #moved: ((difference: number) => void) | undefined;
	#low = -Infinity;
	#high = Infinity;
	#heard = false;

	/**
	 * @param local this machine's clock, in milliseconds since 1970
	 * @param moved told when the service's clock has jumped, by how many milliseconds
	 */
	constructor(local: () => number, moved?: (difference: number) => void) {
		this.#local = local;
		this.#moved = moved;
	}

	/** Milliseconds to add to this machine's clock; 0 until an answer has told. */
	get offset(): number {
		return this.#heard ? Math.round((this.#low + this.#high) / 2) : 0;
	}

	/** Whether an answer of the service has been heard. */
	get heard(): boolean {
		return this.#heard;
	}

	/** The time at the service, in milliseconds since 1970. */
	now(): number {
		return this.#local() + this.offset;
	}

	/** Starts from a difference that was known earlier; the first answer overrules it. */
	assume(offset: number): void {
		if (this.#heard) return;
		this.#low = offset - 1000;
		this.#high = offset + 1000;
		this.#heard = true;
	}

	/**
	 * Takes in the `Date` of an answer.
	 * @param date the header, or null where there was none
	 * @param sent when the request left, by this machine's clock
	 * @param received when the answer arrived, by this machine's clock
	 */
	observe(date: string | null, sent: number, received: number): void {
		const told = date === null ? NaN : Date.parse(date);
		if (Number.isNaN(told)) return;
		const low = told - received;
		const high = told + 999 - Math.min(sent, received);
		const before = this.offset;
		const known = this.#heard;
		if (low <= this.#high && high >= this.#low) {
			this.#low = Math.max(low, this.#low);
			this.#high = Math.min(high, this.#high);
		} else {
			this.#low = low;
			this.#high = high;
		}
		this.#heard = true;
		const difference = this.offset - before;
		if (known && Math.abs(difference) > 3000) this.#moved?.(difference);
	}
}
