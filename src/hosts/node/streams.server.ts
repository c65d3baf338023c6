import type { SecureResponse } from './response-headers.server.ts';

/** The open event streams of a server, limited in number. */
export class Streams {
	readonly #open = new Set<SecureResponse>();
	readonly #max: number;

	/** @param max how many may be open at once */
	constructor(max: number) {
		this.#max = max;
	}

	/** How many are open. */
	get size(): number {
		return this.#open.size;
	}

	/** Whether another one may be opened. */
	get hasCapacity(): boolean {
		return this.#open.size < this.#max;
	}

	/**
	 * Writes a body to a response whose head is written, at the client's pace. Ends the iteration when the client disconnects.
	 * Resolves when the body has ended, rejects where it fails.
	 */
	async pipe(response: SecureResponse, body: AsyncIterable<string>): Promise<void> {
		const iterator = body[Symbol.asyncIterator]();
		this.#open.add(response);
		response.once('close', () => {
			this.#open.delete(response);
			// Not awaited: a pending iteration may settle its `return` only after its next event.
			void iterator.return?.().catch(() => undefined);
		});
		response.socket?.setKeepAlive(true, 15_000);
		response.flushHeaders();
		while (await writeNext(response, iterator));
		response.end();
	}

	/** Ends all streams, each after what it has written. */
	endAll(): void {
		for (const response of this.#open) response.end();
	}
}

/**
 * Writes the next part of a body. Not in the loop of `pipe`, which would keep each part in memory until the next one.
 * @returns false at the end
 */
async function writeNext(response: SecureResponse, parts: AsyncIterator<string>): Promise<boolean> {
	const next = await parts.next();
	if (next.done === true || response.destroyed) return false;
	if (!response.write(next.value)) await drained(response);
	return true;
}

/** Ends the iteration of a body that is not sent. */
export function cancel(body: AsyncIterable<string>): void {
	void body[Symbol.asyncIterator]()
		.return?.()
		.catch(() => undefined);
}

/** Resolves when more can be written, or the response has closed. */
function drained(response: SecureResponse): Promise<void> {
	return new Promise((resolve) => {
		const settle = () => {
			response.off('drain', settle).off('close', settle);
			resolve();
		};
		response.on('drain', settle).on('close', settle);
	});
}
