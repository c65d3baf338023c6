import { expect, test } from 'vitest';
import { groupFlows } from '#features/inspector/flow-groups.ts';
import { formatDuration, formatOffset } from '#features/inspector/format-time.ts';
import { mostVisible, TimelineRows, visibleRange } from '#features/inspector/timeline/timeline-rows.ts';
import { timelineEntry } from './timeline-entry.ts';

const keys = (rows: TimelineRows, first = 0, end = rows.length) => rows.slice(first, end).map(({ key }) => key);

test('a closed group has only its heading', () => {
	const groups = groupFlows([1, 2].map((seq) => timelineEntry(seq, { flow: 'f1' })));
	expect(keys(new TimelineRows(groups, new Set()))).toEqual(['flow f1', 'id-1', 'id-2']);
	expect(keys(new TimelineRows(groups, new Set(['flow f1'])))).toEqual(['flow f1']);
});

test('lines of the timeline are found by their number and by their key', () => {
	const groups = groupFlows([1, 2, 3, 4].map((seq) => timelineEntry(seq, { flow: `f${Math.ceil(seq / 2)}` })));
	const rows = new TimelineRows(groups, new Set());
	const all = ['flow f1', 'id-1', 'id-2', 'flow f2', 'id-3', 'id-4'];
	expect(keys(rows)).toEqual(all);
	expect(keys(rows, 2, 5)).toEqual(['id-2', 'flow f2', 'id-3']);
	expect([...all, 'id-9'].map((key) => rows.indexOf(key))).toEqual([0, 1, 2, 3, 4, 5, -1]);
	const closed = new TimelineRows(groups, new Set(['flow f1']));
	expect([closed.at(1)?.key, closed.at(4)?.key, closed.indexOf('id-2'), closed.indexOf('id-4')]).toEqual([
		'flow f2',
		undefined,
		-1,
		3
	]);
});

test('only the lines in view, and some around them, are in the document', () => {
	expect(visibleRange(0, 600, 30, 10_000)).toEqual({ first: 0, end: 28 });
	expect(visibleRange(3000, 600, 30, 10_000)).toEqual({ first: 92, end: 128 });
	expect(visibleRange(3000, 600, 30, 110)).toEqual({ first: 92, end: 110 });
	expect(mostVisible(600, 30)).toBeGreaterThanOrEqual(128 - 92);
});

test('times have two or three digits and a unit', () => {
	expect([0, 0.42, 9, 85.4, 1200, 59_000, 240_000, 3 * 3_600_000].map(formatDuration)).toEqual([
		'0 ms',
		'0.4 ms',
		'9 ms',
		'85 ms',
		'1.2 s',
		'59 s',
		'4 min',
		'3 h'
	]);
	expect([formatOffset(850), formatOffset(-1000)]).toEqual(['+850 ms', '−1 s']);
});
