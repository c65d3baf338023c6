import { totalOf, type SecondCount } from '#limits/fleet-figures.ts';
import { runTime } from '#limits/fleet-finding.ts';

/** Left of the plot, in pixels: the labels of the rows. */
export const gutter = 32;

const second = 1000;
const minute = 60 * second;
const steps = [1, 2, 5, 10, 20, 30].map((count) => count * second);
const longSteps = [1, 2, 5, 10, 20].map((count) => count * minute);

/** The time axis of all charts of a view. Times are in milliseconds. */
export type TimeAxis = {
	readonly end: number;
	readonly ticks: readonly { readonly at: number; readonly label: string }[];
};

/**
 * The axis of some runs.
 * @param last the latest time that is shown
 * @param most how many steps have room
 */
export function timeAxis(last: number, most: number): TimeAxis {
	const step = [...steps, ...longSteps].find((one) => last <= one * most) ?? 20 * minute;
	const count = Math.max(1, Math.ceil((last + 1) / step));
	const ticks = Array.from({ length: count + 1 }, (_, index) => ({
		at: index * step,
		label: index === 0 ? '0' : runTime(index * step)
	}));
	return { end: count * step, ticks };
}

/** The position of a time, in pixels. @param width of the whole chart */
export const xOf = (at: number, { end }: TimeAxis, width: number): number => gutter + (at / end) * (width - gutter);

/** The end of the axis of counts: an even number. */
export function countAxis(seconds: readonly SecondCount[]): number {
	const most = Math.max(1, ...seconds.map(totalOf));
	const unit = [1, 2, 5, 10, 20, 50, 100].find((one) => most <= 2 * one) ?? 200;
	return 2 * unit;
}
