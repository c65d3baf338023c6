import type { IncomingMessage } from 'node:http';

/** The body of a request that has none. */
export const noBody: Uint8Array = new Uint8Array(0);

/**
 * Reads the body of a request up to a limit. Keeps nothing of a longer one, so that memory stays flat (HT-05).
 * @param limit in bytes
 * @param done called once, when the body is complete or known to be too large; never when the request was aborted (HT-14)
 */
export function readBody(
	request: IncomingMessage,
	limit: number,
	done: (body: Uint8Array, bodyTooLarge: boolean) => void
): void {
	let first: Buffer | undefined;
	let chunks: Buffer[] | undefined;
	let size = 0;
	const onData = (chunk: Buffer) => {
		size += chunk.length;
		if (size > limit) {
			request.off('data', onData).off('end', onEnd);
			done(noBody, true);
		} else if (!first) first = chunk;
		else (chunks ??= [first]).push(chunk);
	};
	const onEnd = () => {
		done(chunks ? Buffer.concat(chunks, size) : (first ?? noBody), false);
	};
	request.on('data', onData).on('end', onEnd);
}
