import type { GuardedResponse } from './guarded-response.server.ts';

/** The open event streams of a server: a bounded number of responses that go on. */
export class Streams {
	readonly #open = new Set<GuardedResponse>();
	readonly #most: number;

	/** @param most how many may be open at once */
	constructor(most: number) {
		this.#most = most;
	}

	/** How many are open. */
	get size(): number {
		return this.#open.size;
	}

	/** Whether another one may be opened. */
	get hasCapacity(): boolean {
		return this.#open.size < this.#most;
	}

	/**
	 * Pours a body into a response whose head is written, at the pace of the other end. When that leaves, the iteration ends.
	 * Resolves when the body has ended; rejects where it fails.
	 */
	async pipe(response: GuardedResponse, body: AsyncIterable<string>): Promise<void> {
		const iterator = body[Symbol.asyncIterator]();
		this.#open.add(response);
		response.once('close', () => {
			this.#open.delete(response);
			// An iteration that waits for its next event may not settle its `return` before that comes: nobody waits for it.
			void iterator.return?.().catch(() => undefined);
		});
		response.socket?.setKeepAlive(true, 15_000);
		response.flushHeaders();
		for (;;) {
			const next = await iterator.next();
			if (next.done === true || response.destroyed) break;
			if (!response.write(next.value)) await drained(response);
		}
		response.end();
	}

	/** Ends all streams, each after what it has written. */
	endAll(): void {
		for (const response of this.#open) response.end();
	}
}

/** Ends an iteration that nobody will read. */
export function cancel(body: AsyncIterable<string>): void {
	void body[Symbol.asyncIterator]()
		.return?.()
		.catch(() => undefined);
}

/** Resolves when more can be written, or never will be. */
function drained(response: GuardedResponse): Promise<void> {
	return new Promise((resolve) => {
		const settle = () => {
			response.off('drain', settle).off('close', settle);
			resolve();
		};
		response.on('drain', settle).on('close', settle);
	});
}
