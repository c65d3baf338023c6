import fc from 'fast-check';
import { expect, it } from 'vitest';
import { longestPause, mergeSpans, type Spans, timeOf } from '#service/class/work-time.ts';

const minute = 60_000;
const momentsOf = (...minutes: number[]): Spans[] => minutes.map((at) => [[at * minute, at * minute]]);
const merged = (parts: readonly Spans[]) => parts.reduce(mergeSpans, []);

it('counts work, and no pause of more than 5 minutes', () => {
	expect(timeOf(merged(momentsOf(0, 3, 7, 12)))).toBe(12 * minute);
	expect(timeOf(merged(momentsOf(0, 4, 30, 34)))).toBe(8 * minute);
	expect(timeOf(merged(momentsOf(0, 6, 12)))).toBe(0);
	expect(timeOf([])).toBe(0);
});

it('does not depend on the order in which signs of work arrive', () => {
	const list = fc.array(fc.integer({ min: 0, max: 24 * 60 }), { maxLength: 40 });
	fc.assert(
		fc.property(list, fc.infiniteStream(fc.integer({ min: 0, max: 1 })), (minutes, coins) => {
			const sorted = merged(momentsOf(...minutes.toSorted((one, other) => one - other)));
			const [some, others]: [number[], number[]] = [[], []];
			for (const at of minutes) (coins.next().value === 0 ? some : others).push(at);
			expect(mergeSpans(merged(momentsOf(...others)), merged(momentsOf(...some)))).toEqual(sorted);
			expect(sorted.length).toBeLessThanOrEqual((24 * 60 * minute) / longestPause + 1);
		}),
		{ numRuns: 100 }
	);
});
