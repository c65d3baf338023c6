import { clientAddress } from '#service/client-address.ts';

/** Counts what is in use of something limited, in all and by client address (IPv6: by /64). */
export class AddressShares {
	readonly #max: number;
	readonly #maxPerAddress: number;
	readonly #used = new Map<string, number>();
	#total = 0;

	constructor(max: number, maxPerAddress: number) {
		this.#max = max;
		this.#maxPerAddress = maxPerAddress;
	}

	/**
	 * Takes an amount, unless that exceeds a limit.
	 * @param peer the other end of a connection
	 * @returns whether it was taken
	 */
	take(peer: string, amount: number): boolean {
		const address = clientAddress(peer, [], 0);
		const used = (this.#used.get(address) ?? 0) + amount;
		if (this.#total + amount > this.#max || used > this.#maxPerAddress) return false;
		this.#used.set(address, used);
		this.#total += amount;
		return true;
	}

	/** Returns an amount that was taken. */
	release(peer: string, amount: number): void {
		const address = clientAddress(peer, [], 0);
		const left = (this.#used.get(address) ?? 0) - amount;
		if (left > 0) this.#used.set(address, left);
		else this.#used.delete(address);
		this.#total -= amount;
	}
}
