/** Smaller differences are network delay and the whole seconds of `Date`, in milliseconds. */
const tolerance = 2000;

/** The service's clock, from the `Date` header of its responses: this machine's clock may be wrong, and a sandbox's clock can be moved. */
export class ServerClock {
	readonly #localNow: () => number;
	readonly #onChange: (offset: number, difference: number) => void;
	#offset = 0;
	#isKnown = false;

	/**
	 * @param localNow this machine's clock, in milliseconds since 1970
	 * @param onChange gets the new offset, and by how much the service's clock has jumped since an earlier response (0 for the
	 * first one), in milliseconds
	 */
	constructor(localNow: () => number, onChange: (offset: number, difference: number) => void) {
		this.#localNow = localNow;
		this.#onChange = onChange;
	}

	/** The time at the service, in milliseconds since 1970. */
	now(): number {
		return this.#localNow() + this.#offset;
	}

	/** Restores an offset that was known before a reload, in milliseconds. */
	setOffset(offset: number): void {
		if (!this.#isKnown) this.#offset = offset;
		this.#isKnown = true;
	}

	/** @param date the `Date` header of a response that has just arrived; null: it had none */
	update(date: string | null): void {
		const difference = Date.parse(date ?? '') - this.now();
		if (Math.abs(difference) > tolerance) {
			this.#offset += difference;
			this.#onChange(this.#offset, this.#isKnown ? difference : 0);
		}
		if (!Number.isNaN(difference)) this.#isKnown = true;
	}
}
