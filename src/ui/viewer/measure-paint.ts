import type { Journal } from '#client/events.ts';
import type { Ledger } from '#client/resources/ledger.ts';

/** The name of the performance measures. */
export const gaugeMeasure = 'tollgate:gauge';

/**
 * Measures how long it takes from the arrival of an answer with a rate limit to the paint of its gauge, as performance
 * measures named `tollgate:gauge`: reading the answer, setting the gauge's figures, and the frame that shows them, up to
 * the moment at which the page has handed it to be displayed. Not the bar's short slide to its new length. Answers that
 * arrive together are measured as one, from the first of them. Returns what ends it.
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
