import type { IncomingMessage } from 'node:http';

/** The body of a request that has none. */
export const noBody: Buffer = Buffer.alloc(0);

/** Bodies up to this length are not counted: the number of connections bounds them. */
const shortBody = 16 * 1024;

/**
 * Reads the body of a request up to a limit. Keeps nothing of a longer one, so that memory stays flat (HT-05).
 * @param limit in bytes
 * @param keep called with the number of bytes about to be kept of a long body; false where there are too many
 * @param done called once, when the body is complete or known to be too large; never when the request was aborted (HT-14)
 * @param reject called instead of `done` where `keep` returned false
 */
export function readBody(
	request: IncomingMessage,
	limit: number,
	keep: (bytes: number) => boolean,
	done: (body: Uint8Array, bodyTooLarge: boolean) => void,
	reject: () => void
): void {
	let body = noBody;
	let size = 0;
	const onData = (chunk: Buffer) => {
		const end = size + chunk.length;
		if (end > limit) {
			stop();
			done(noBody, true);
			return;
		}
		if (end > shortBody && !keep(size > shortBody ? chunk.length : end)) {
			stop();
			reject();
			return;
		}
		if (size === 0) body = chunk;
		else {
			// One buffer: a list of chunks of one byte each would take a hundred times the memory.
			if (end > body.length) body = Buffer.concat([body.subarray(0, size)], Math.min(2 * end, limit));
			chunk.copy(body, size);
		}
		size = end;
	};
	const onEnd = () => done(body.subarray(0, size), false);
	const stop = () => request.off('data', onData).off('end', onEnd);
	request.on('data', onData).on('end', onEnd);
}
