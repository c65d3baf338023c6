/** A request of a stream. */
export type StreamedRequest = {
	/** Milliseconds after the beginning. */
	readonly at: number;
};

export const streamNames = ['edge', 'burst'] as const;
export type StreamName = (typeof streamNames)[number];

type Stream = {
	/** In the field of the setup. */
	readonly label: string;
	/** @param limit requests in each window @param window in milliseconds */
	readonly times: (limit: number, window: number) => readonly number[];
};

const evenly = (count: number, from: number, gap: number): readonly number[] =>
	Array.from({ length: count }, (_, index) => from + index * gap);

/** When the requests of each stream are sent. */
export const streams: Readonly<Record<StreamName, Stream>> = {
	// The first request opens the window.
	edge: {
		label: 'Twice the limit around a reset',
		times(limit, window) {
			const gap = Math.round(window / 50);
			return [0, ...evenly(limit - 1, window - gap * (limit - 1), gap), ...evenly(limit, window + gap / 2, gap)];
		}
	},
	burst: {
		label: 'A burst, then one after the other',
		times: (limit, window) => [
			...evenly(Math.ceil(limit * 1.4), 0, Math.round(window / 60)),
			...evenly(limit, window / 2, Math.round(window / limit / 1.5))
		]
	}
};
