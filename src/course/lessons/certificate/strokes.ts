import type { RecordedRequest } from '../model/recorded-requests.ts';

/** One request on the certificate. */
export type Stroke = Pick<RecordedRequest, 'kind' | 'isRejected'> & { readonly x: number; readonly height: number };

/** The strokes of a lesson above its number. */
export type StrokeGroup = {
	readonly number: number;
	readonly from: number;
	readonly to: number;
	readonly strokes: readonly Stroke[];
};

/** Space between lessons, in strokes. */
const gap = 2;
/** The longest stroke above the line and below it. */
const longest = { above: 48, below: 26 };
/** A request with this many checks has the longest stroke. */
const mostChecks = 20;
/** Of few requests, so that they stay together. */
const widestStep = 9;

/**
 * Places the strokes of all lessons side by side.
 * @param lessons completed ones, in their order
 * @param width of the drawing
 */
export function strokeGroups(
	lessons: readonly { readonly number: number; readonly requests: readonly RecordedRequest[] }[],
	width: number
): StrokeGroup[] {
	const count = lessons.reduce((sum, { requests }) => sum + requests.length, 0);
	const step = Math.min(widestStep, width / Math.max(1, count + gap * (lessons.length - 1)));
	let at = 0;
	return lessons.map(({ number, requests }) => {
		const from = at;
		const strokes = requests.map(({ kind, checks, isRejected }, index) => ({
			kind,
			isRejected,
			x: from + (index + 0.5) * step,
			height: longest[isRejected ? 'below' : 'above'] * Math.min(1, (checks + 3) / mostChecks)
		}));
		const to = from + requests.length * step;
		at = to + gap * step;
		return { number, from, to, strokes };
	});
}
