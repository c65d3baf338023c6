/** Limits how much of something is in use at once, for each client address and in all. */
export class AddressQuota {
	readonly maxPerAddress: number;
	readonly #max: number;
	readonly #byAddress = new Map<string, number>();
	#total = 0;

	constructor(max: number, maxPerAddress = max) {
		this.#max = max;
		this.maxPerAddress = maxPerAddress;
	}

	inUse(address: string): number {
		return this.#byAddress.get(address) ?? 0;
	}

	/**
	 * Takes an amount, unless that exceeds a limit.
	 * @returns whether it was taken
	 */
	take(address: string, amount = 1): boolean {
		const own = this.inUse(address) + amount;
		if (this.#total + amount > this.#max || own > this.maxPerAddress) return false;
		this.#byAddress.set(address, own);
		this.#total += amount;
		return true;
	}

	/** Returns an amount that was taken. */
	release(address: string, amount = 1): void {
		const rest = this.inUse(address) - amount;
		if (rest > 0) this.#byAddress.set(address, rest);
		else this.#byAddress.delete(address);
		this.#total -= amount;
	}
}

/** How many addresses are counted. Further ones are not limited until the next window. */
const maxAddresses = 100_000;

/** Limits how often each client address does something within a window. In the memory of this process: a request pays nothing for it. */
export class AddressRate {
	readonly #max: number;
	readonly #window: number;
	readonly #counts = new Map<string, number>();
	#end = -Infinity;

	/**
	 * @param max for each address
	 * @param window in milliseconds, the same for all addresses
	 */
	constructor(max: number, window: number) {
		this.#max = max;
		this.#window = window;
	}

	/**
	 * Counts one.
	 * @param now in milliseconds
	 * @returns 0, or over the limit the milliseconds until the next window
	 */
	count(address: string, now: number): number {
		// A clock that was set back begins a window as well.
		if (now >= this.#end || now < this.#end - this.#window) {
			this.#counts.clear();
			this.#end = now + this.#window;
		}
		const count = (this.#counts.get(address) ?? 0) + 1;
		if (count > this.#max) return this.#end - now;
		if (count > 1 || this.#counts.size < maxAddresses) this.#counts.set(address, count);
		return 0;
	}
}
