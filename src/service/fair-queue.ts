import { ProtocolError } from './errors.ts';

/** How many tasks of one address wait at most. */
const maxWaiting = 20;

/** Runs a few tasks at once. Addresses take turns, so that the many tasks of one address delay those of another one little. */
export class FairQueue {
	readonly #waiting = new Map<string, (() => void)[]>();
	#free: number;

	/** @param atOnce how many tasks run at once */
	constructor(atOnce: number) {
		this.#free = atOnce;
	}

	/**
	 * Runs a task when it is its turn.
	 * @param address whose turn it uses
	 * @throws ProtocolError `too_many_attempts` where 20 tasks of the address wait already
	 */
	async run<T>(address: string, task: () => Promise<T>): Promise<T> {
		if (this.#free > 0) this.#free--;
		else await this.#wait(address);
		try {
			return await task();
		} finally {
			this.#startNext();
		}
	}

	#wait(address: string): Promise<void> {
		const own = this.#waiting.get(address) ?? [];
		if (own.length >= maxWaiting)
			throw new ProtocolError('too_many_attempts', 'Too many requests of your address are waiting. Try again later.', {
				headers: ['Retry-After', '1']
			});
		this.#waiting.set(address, own);
		return new Promise((resolve) => own.push(resolve));
	}

	#startNext(): void {
		const [next] = this.#waiting;
		if (next === undefined) {
			this.#free++;
			return;
		}
		const [address, own] = next;
		this.#waiting.delete(address);
		const start = own.shift();
		// At the end of the map: the other addresses are next.
		if (own.length > 0) this.#waiting.set(address, own);
		start?.();
	}
}

/** The queues of a service, one for each kind of work that takes long. */
export type Queues = { readonly passwords: FairQueue; readonly snapshots: FairQueue };

/** Creates the queues of a service. */
export function createQueues(): Queues {
	return { passwords: new FairQueue(2), snapshots: new FairQueue(1) };
}
