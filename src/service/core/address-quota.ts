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

	/** How much an address uses. */
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
