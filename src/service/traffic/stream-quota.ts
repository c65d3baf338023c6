import { ProtocolError } from '../errors.ts';

/** Limits the event streams that are open at once, for each address and in all. */
export class StreamQuota {
	readonly #max: number;
	readonly #maxPerAddress: number;
	readonly #byAddress = new Map<string, number>();
	#open = 0;

	constructor(max: number, maxPerAddress: number) {
		this.#max = max;
		this.#maxPerAddress = maxPerAddress;
	}

	/**
	 * Counts a stream that an address opens.
	 * @returns a function to call once when the stream has ended
	 * @throws ProtocolError `limit_reached`
	 */
	acquire(address: string): () => void {
		const own = this.#byAddress.get(address) ?? 0;
		if (own >= this.#maxPerAddress) throw limitReached(`Your address has ${own} event streams open. Close one.`);
		if (this.#open >= this.#max) throw limitReached('All event streams of this server are in use. Try again later.');
		this.#open++;
		this.#byAddress.set(address, own + 1);
		return () => this.#release(address);
	}

	#release(address: string): void {
		const left = (this.#byAddress.get(address) ?? 0) - 1;
		if (left > 0) this.#byAddress.set(address, left);
		else this.#byAddress.delete(address);
		this.#open--;
	}
}

function limitReached(description: string): ProtocolError {
	return new ProtocolError('limit_reached', description);
}
