import type { SeatRecord } from '../sandbox/class-records.ts';

/** How many seats must have been in a step before their median says something. */
const leastSeats = 5;

/**
 * The median time of each step, by `<lesson> <step>`, in milliseconds. A seat that is in the step counts with its time so far.
 * @param now milliseconds, real clock
 */
export function mediansOf(seats: readonly SeatRecord[], now: number): ReadonlyMap<string, number> {
	const times = new Map<string, number[]>();
	const add = (step: string, time: number) => times.set(step, [...(times.get(step) ?? []), time]);
	for (const { times: earlier, progress } of seats) {
		const current = progress === undefined ? undefined : stepOf(progress);
		for (const [step, time] of Object.entries(earlier)) if (step !== current) add(step, time);
		if (progress !== undefined && current !== undefined) add(current, (earlier[current] ?? 0) + now - progress.since);
	}
	return new Map(
		[...times].flatMap(([step, all]) => {
			if (all.length < leastSeats) return [];
			const sorted = all.toSorted((one, other) => one - other);
			const [low = 0, high = 0] = [
				sorted[Math.floor((sorted.length - 1) / 2)],
				sorted[Math.ceil((sorted.length - 1) / 2)]
			];
			return [[step, (low + high) / 2] as const];
		})
	);
}

/** The key of a step. */
export function stepOf({ lesson, step }: { readonly lesson: string; readonly step: number }): string {
	return `${lesson} ${step}`;
}
