import type { ViewerClient } from '#client/viewer/client.ts';

/** Name of the performance measures. */
export const gaugeMeasure = 'tollgate:gauge';

/**
 * Measures the time from a response with rate limit headers to the paint of its gauge, as performance measures named
 * `tollgate:gauge`. The transition of the bar is not included. Responses that arrive together count as one, from the first.
 * Returns a function that stops it.
 */
export function measurePaint({ log, rateLimitUpdated }: ViewerClient): () => void {
	let arrived: number | undefined;
	const ends = [
		log.subscribe(({ kind, http }) => {
			const isLimited = http?.headers.some(([name]) => name === 'x-ratelimit-remaining') === true;
			if (kind === 'received' && isLimited) arrived ??= performance.now();
		}),
		rateLimitUpdated.subscribe(() => {
			const start = arrived;
			arrived = undefined;
			if (start === undefined) return;
			requestAnimationFrame(() => {
				// A message sent in the frame is delivered right after the frame was painted.
				const { port1, port2 } = new MessageChannel();
				port1.onmessage = () => {
					performance.measure(gaugeMeasure, { start, end: performance.now() });
					port1.close();
				};
				port2.postMessage(undefined);
			});
		})
	];
	return () => {
		for (const end of ends) end();
	};
}
