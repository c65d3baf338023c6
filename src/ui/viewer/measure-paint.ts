import type { Journal } from '#client/events.ts';
import type { Ledger } from '#client/resources/ledger.ts';

/** Name of the performance measures. */
export const gaugeMeasure = 'tollgate:gauge';

/**
 * Measures the time from a response with rate limit headers to the paint of its gauge, as performance measures named
 * `tollgate:gauge`. The transition of the bar is not included. Responses that arrive together count as one, from the first.
 * Returns a function that stops it.
 * @param journal of the client: it announces an answer when its last byte is there
 * @param ledger of the client: its news is what the gauges show; what comes from other tabs is no answer, and not measured
 */
export function measurePaint(journal: Journal, ledger: Ledger): () => void {
	let arrived: number | undefined;
	const ends = [
		journal.listen(({ kind, message }) => {
			const isLimited = message?.headers.some(([name]) => name === 'x-ratelimit-remaining') === true;
			if (kind === 'received' && isLimited) arrived ??= performance.now();
		}),
		ledger.listen(() => {
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
