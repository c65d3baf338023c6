import { mapValues } from '#lib/map-values.ts';

/** A request of a stream. */
export type StreamedRequest = {
	/** Milliseconds after the beginning. */
	readonly at: number;
	/** For the slow character: its response takes three seconds, and it can cost more than other requests. */
	readonly isSlow?: true;
};

export const streamNames = ['edge', 'burst', 'searches', 'slow'] as const;
export type StreamName = (typeof streamNames)[number];

type Stream = {
	/** In the field of the setup. */
	readonly label: string;
	/** @param limit requests in each window @param window in milliseconds */
	readonly requests: (limit: number, window: number) => readonly StreamedRequest[];
};

const evenly = (count: number, from: number, gap: number): readonly StreamedRequest[] =>
	Array.from({ length: count }, (_, index) => ({ at: Math.round(from + index * gap) }));
const slowly = (...times: readonly number[]): readonly StreamedRequest[] =>
	times.map((at) => ({ at: Math.round(at), isSlow: true }));

const formulas: Readonly<Record<StreamName, Stream>> = {
	// The first request opens the window.
	edge: {
		label: 'Twice the limit around a reset',
		requests(limit, window) {
			const gap = Math.round(window / 50);
			return [
				{ at: 0 },
				...evenly(limit - 1, window - gap * (limit - 1), gap),
				...evenly(limit, window + gap / 2, gap)
			];
		}
	},
	burst: {
		label: 'A burst, then one after the other',
		requests: (limit, window) => [
			...evenly(Math.ceil(limit * 1.4), 0, Math.round(window / 60)),
			...evenly(limit, window / 2, Math.round(window / limit / 1.5))
		]
	},
	searches: {
		label: 'Searches among reads',
		requests: (limit, window) => [
			...evenly(limit, 0, window / limit / 1.25),
			...slowly(window * 0.21, window * 0.43, window * 0.63, window * 0.71)
		]
	},
	slow: {
		label: 'Two slow requests among quick ones',
		requests: (limit, window) => [...slowly(window * 0.06, window * 0.36), ...evenly(limit, 0, window / limit / 2)]
	}
};

/** When the requests of each stream are sent, in the order of time: the parts of a formula may overlap. */
export const streams: Readonly<Record<StreamName, Stream>> = mapValues(formulas, ({ label, requests }) => ({
	label,
	requests: (limit, window) => requests(limit, window).toSorted((one, other) => one.at - other.at)
}));
