import type { Journal } from '#client/events.ts';

/**
 * Measures how long it takes from the arrival of an answer with a rate limit to the paint of its gauge, as performance
 * measures named `tollgate:gauge`. Returns what ends it.
 * @param journal of the client
 */
export function measurePaint(journal: Journal): () => void {
	return journal.listen(({ kind, message }) => {
		if (kind !== 'received' || message?.headers.every(([name]) => name !== 'x-ratelimit-remaining') !== false) return;
		const start = performance.now();
		requestAnimationFrame(() => {
			// A message sent in the frame is delivered right after the frame was painted.
			const { port1, port2 } = new MessageChannel();
			port1.onmessage = () => {
				performance.measure('tollgate:gauge', { start, end: performance.now() });
				port1.close();
			};
			port2.postMessage(undefined);
		});
	});
}
