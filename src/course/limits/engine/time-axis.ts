import { totalOf, type SecondCount } from './fleet-figures.ts';

/** Left of the plot of a fleet, in pixels: the labels of the rows. */
export const gutter = 32;

const steps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200].map((seconds) => seconds * 1000);

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
export function timeAxis(last: number, most: number, label: (at: number) => string): TimeAxis {
	const step = steps.find((one) => last <= one * most) ?? Math.ceil(last / most);
	const count = Math.max(1, Math.ceil((last + 1) / step));
	const ticks = Array.from({ length: count + 1 }, (_, index) => ({
		at: index * step,
		label: index === 0 ? '0' : label(index * step)
	}));
	return { end: count * step, ticks };
}

/** The position of a time, in pixels. @param width of the whole chart @param left of the plot */
export const xOf = (at: number, { end }: TimeAxis, width: number, left = gutter): number =>
	left + (at / end) * (width - left);

/** The end of the axis of counts: an even number. */
export function countAxis(seconds: readonly SecondCount[]): number {
	const most = Math.max(1, ...seconds.map(totalOf));
	const unit = [1, 2, 5, 10, 20, 50, 100].find((one) => most <= 2 * one) ?? 200;
	return 2 * unit;
}
