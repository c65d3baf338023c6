import type { IncomingMessage } from 'node:http';

/** The body of a request that has none. */
export const noBody: Uint8Array = new Uint8Array(0);

/**
 * Reads a request's body up to a limit. Of a longer one nothing is kept: memory stays flat however much is sent (HT-05).
 * @param limit in bytes
 * @param done called once, as soon as the body is there or known to be too long; never when the request was aborted (HT-14)
 */
export function readBody(
	request: IncomingMessage,
	limit: number,
	done: (body: Uint8Array, bodyTooLarge: boolean) => void
): void {
	let only: Buffer | undefined;
	let chunks: Buffer[] | undefined;
	let size = 0;
	const onData = (chunk: Buffer) => {
		size += chunk.length;
		if (size > limit) {
			request.off('data', onData).off('end', onEnd);
			done(noBody, true);
		} else if (!only) only = chunk;
		else (chunks ??= [only]).push(chunk);
	};
	const onEnd = () => {
		done(chunks ? Buffer.concat(chunks, size) : (only ?? noBody), false);
	};
	request.on('data', onData).on('end', onEnd);
}
