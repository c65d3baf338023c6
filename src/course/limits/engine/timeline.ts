import { type Moment, mostUsed, seconds, usedAt } from './limiter-state.ts';
import { openAt, type LimiterRun, type LimiterStep } from './limiters-setup.ts';
import { timeAxis, type TimeAxis } from './time-axis.ts';

/** A point of a plot: a time in milliseconds after the beginning, and how much is in use then. */
export type UsedPoint = readonly [at: number, used: number];

/** How many points a plot has between events, on its whole width. */
const points = 240;

/** The last step until a time. @param at milliseconds after the beginning */
export function stepAt({ steps }: LimiterRun, at: number): LimiterStep | undefined {
	return steps.findLast(({ request }) => request.at <= at);
}

/** The state at a time. @param at milliseconds after the beginning @param start when that was, in milliseconds since 1970 */
export function stateAt(run: LimiterRun, at: number, start: number): Moment {
	const { algorithm, policy, steps } = run;
	const now = start + at;
	if (algorithm === 'concurrency')
		return { algorithm, policy, now, state: { count: openAt(steps, at), expires: Infinity } };
	const known = stepAt(run, at)?.decision.state;
	if (known === undefined || known.expires <= now) return { algorithm, policy, now, state: undefined };
	if (algorithm !== 'fixed_window') return { algorithm, policy, now, state: known };
	const begin = known.expires - policy.window - start;
	const counted = steps.filter(
		({ request, decision }) => decision.isAccepted && request.at >= begin && request.at <= at
	);
	return { algorithm, policy, now, state: known, costs: counted.map(({ cost }) => cost) };
}

/**
 * How much is in use over time. Each request has a point before and after it.
 * @param end of the plot, in milliseconds after the beginning
 */
export function usedOver(run: LimiterRun, start: number, end: number): readonly UsedPoint[] {
	const expiries = run.steps.map(({ decision }) => decision.state.expires - start).filter((at) => at < end && at > 0);
	const grid = Array.from({ length: points + 1 }, (_, index) => (index * end) / points);
	const requests = run.steps.flatMap(({ request, respondedAt }) => [request.at, respondedAt]);
	// A millisecond before an event, its effect is not to be seen.
	const times = [...new Set([...grid, ...[...requests, ...expiries].flatMap((at) => [at - 1, at])])];
	return times
		.filter((at) => at >= 0)
		.sort((one, other) => one - other)
		.map((at) => [at, usedAt(stateAt(run, at, start))]);
}

/** When the limits are as if no request had come, or a window ends, in order. */
export function resetsOf(runs: readonly LimiterRun[], start: number, end: number): readonly number[] {
	const all = runs.flatMap(({ steps }) => steps.map(({ decision }) => decision.state.expires - start));
	const fixed = runs.filter(({ algorithm }) => algorithm === 'fixed_window');
	const chosen =
		fixed.length === 0
			? all
			: fixed.flatMap(({ steps }) => steps.map(({ decision }) => decision.state.expires - start));
	return [...new Set(chosen)].filter((at) => at > 0 && at <= end).sort((one, other) => one - other);
}

/** The SVG path of a plot. @param width in pixels @param height of the capacity, in pixels */
export function plotPath(
	run: LimiterRun,
	used: readonly UsedPoint[],
	size: { readonly width: number; readonly height: number; readonly end: number }
): string {
	const capacity = mostUsed(run);
	return used
		.map(([at, value], index) => {
			const x = ((at / size.end) * size.width).toFixed(1);
			const y = (size.height * (1 - value / capacity)).toFixed(1);
			return `${index === 0 ? 'M' : 'L'}${x} ${y}`;
		})
		.join('');
}

/** The axis of the plots. It ends at least a tenth after the last request or response. */
export function axisOf(runs: readonly LimiterRun[]): TimeAxis {
	const last = Math.max(1000, ...runs.flatMap(({ steps }) => steps.map(({ respondedAt }) => respondedAt)));
	return timeAxis(last * 1.12, 6, seconds);
}
