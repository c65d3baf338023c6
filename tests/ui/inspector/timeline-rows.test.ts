import { expect, test } from 'vitest';
import { groupFlows, type GroupCache } from '#client/inspector/flow-groups.ts';
import { formatDuration, formatOffset } from '#ui/inspector/format-time.ts';
import { timelineRows, visibleRange } from '#ui/inspector/timeline-rows.ts';
import { timelineEntry } from '../../client/inspector/timeline-entry.ts';

test('a closed group has only its heading', () => {
	const groups = groupFlows([1, 2].map((seq) => timelineEntry(seq, { flow: 'f1' })));
	expect(timelineRows(groups, new Set()).map(({ key }) => key)).toEqual(['flow f1', 'id-1', 'id-2']);
	expect(timelineRows(groups, new Set(['flow f1'])).map(({ key }) => key)).toEqual(['flow f1']);
});

test('a new exchange changes only its own group', () => {
	const cache: GroupCache = new Map();
	const entries = [timelineEntry(1, { flow: 'f1' }), timelineEntry(2, { flow: 'f2' })];
	const before = groupFlows(entries, [], cache);
	const after = groupFlows([...entries, timelineEntry(3, { flow: 'f2' })], [], cache);
	expect(after.map((group, index) => group === before[index])).toEqual([true, false]);
});

test('only the lines in view, and some around them, are in the document', () => {
	expect(visibleRange(0, 600, 30, 10_000)).toEqual({ first: 0, end: 32 });
	expect(visibleRange(3000, 600, 30, 10_000)).toEqual({ first: 88, end: 132 });
	expect(visibleRange(3000, 600, 30, 110)).toEqual({ first: 88, end: 110 });
});

test('times have two or three digits and a unit', () => {
	expect([0, 0.42, 9, 85.4, 1200, 59_000, 240_000, 3 * 3_600_000].map(formatDuration)).toEqual([
		...['0 ms', '0.4 ms', '9 ms', '85 ms', '1.2 s', '59 s', '4 min', '3 h']
	]);
	expect([formatOffset(850), formatOffset(-1000)]).toEqual(['+850 ms', '−1 s']);
});
