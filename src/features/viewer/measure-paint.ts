import type { ViewerClient } from './client.ts';

/**
 * Measures the time from a response with rate limit headers to the paint of its gauge, as performance measures named
 * `tollgate:gauge`. The transition of the bar is not included. Responses that arrive together count as one, from the first.
 * Returns a function that stops it.
 */
export function measurePaint({ requestEnded, rateLimitUpdated }: ViewerClient): () => void {
	let arrived: number | undefined;
	const ends = [
		requestEnded.subscribe((outcome) => {
			if (outcome.kind === 'response' && outcome.headers.has('x-ratelimit-remaining')) arrived ??= performance.now();
		}),
		rateLimitUpdated.subscribe(() => {
			const start = arrived;
			arrived = undefined;
			if (start === undefined) return;
			requestAnimationFrame(() => {
				// A message sent in the frame is delivered right after the frame was painted.
				const { port1, port2 } = new MessageChannel();
				port1.onmessage = () => {
					performance.measure('tollgate:gauge', { start, end: performance.now() });
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
