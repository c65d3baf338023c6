import { ProtocolError } from './errors.ts';
import type { Quotas } from './quotas.ts';

/** Runs a few tasks at once, and one of each address. Addresses take turns, so that one with many tasks delays the others little. */
export class FairQueue {
	readonly #waiting = new Map<string, (() => void)[]>();
	readonly #running = new Set<string>();
	readonly #atOnce: number;
	readonly #maxWaiting: number;
	readonly #tasks: string;

	/**
	 * @param atOnce how many tasks run at once
	 * @param maxWaiting how many tasks of one address wait at most
	 * @param tasks what they are called in the error
	 */
	constructor(atOnce: number, maxWaiting: number, tasks = 'requests') {
		this.#atOnce = atOnce;
		this.#maxWaiting = maxWaiting;
		this.#tasks = tasks;
	}

	/**
	 * Runs a task when it is its turn.
	 * @param address whose turn it uses
	 * @throws ProtocolError `too_many_attempts` where too many tasks of the address wait already
	 */
	async run<T>(address: string, task: () => Promise<T>): Promise<T> {
		if (this.#running.size < this.#atOnce && !this.#running.has(address)) this.#running.add(address);
		else await this.#wait(address);
		try {
			return await task();
		} finally {
			this.#running.delete(address);
			this.#startNext();
		}
	}

	#wait(address: string): Promise<void> {
		const own = this.#waiting.get(address) ?? [];
		if (own.length >= this.#maxWaiting)
			throw new ProtocolError(
				'too_many_attempts',
				`Too many ${this.#tasks} at once: ${this.#maxWaiting} of your address are waiting. Try again in a few seconds.`,
				{ headers: ['Retry-After', '5'] }
			);
		this.#waiting.set(address, own);
		return new Promise((resolve) => own.push(resolve));
	}

	#startNext(): void {
		for (const [address, own] of this.#waiting) {
			if (this.#running.has(address)) continue;
			this.#waiting.delete(address);
			const start = own.shift();
			// At the end of the map: the other addresses are next.
			if (own.length > 0) this.#waiting.set(address, own);
			this.#running.add(address);
			start?.();
			return;
		}
	}
}

/** The queues of a service, one for each kind of work that takes long. */
export type Queues = { readonly passwords: FairQueue; readonly snapshots: FairQueue; readonly keys: FairQueue };

export function createQueues({ waitingPasswords }: Pick<Quotas, 'waitingPasswords'>): Queues {
	return {
		passwords: new FairQueue(2, waitingPasswords, 'sign-ins'),
		snapshots: new FairQueue(1, 20, 'snapshots'),
		keys: new FairQueue(1, 300, 'signing keys')
	};
}
