import { beforeEach, expect, test } from 'vitest';
import { groupFlows } from '#features/inspector/flow-groups.ts';
import { TimelineRows } from '#features/inspector/timeline/timeline-rows.ts';
import { TimelineScroll } from '#features/inspector/timeline/timeline-scroll.svelte.ts';
import { timelineEntry } from './timeline-entry.ts';

/** Exchanges of one flow, below the line of their group: 100 lines of 10 pixels where `last` is 99. */
const rowsOf = (first: number, last: number) => {
	const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
	return new TimelineRows(groupFlows(numbers.map((seq) => timelineEntry(seq, { flow: 'f1' }))), new Set());
};
let rows: TimelineRows;
let scroll: TimelineScroll;

beforeEach(() => {
	rows = rowsOf(1, 99);
	scroll = new TimelineScroll(() => rows);
	Object.assign(scroll, { height: 200, rowHeight: 10 });
	scroll.follow(false);
});

/** The log changes, and the page scrolls to where the list says. */
function change(first: number, last: number, isPressed = false): number {
	rows = rowsOf(first, last);
	scroll.follow(isPressed);
	return scroll.top;
}

test('stays at the end while lines arrive', () => {
	expect([scroll.top, change(1, 119), change(1, 120)]).toEqual([800, 1000, 1010]);
});

test('moves no line while one is pressed, and follows again afterwards', () => {
	expect([change(1, 119, true), scroll.top, change(1, 120)]).toEqual([800, 800, 1010]);
});

test('keeps the lines in view after the user scrolled away, and follows again from the end', () => {
	scroll.scrolled(305);
	expect(change(1, 119)).toBe(305);
	expect(change(11, 119), 'ten lines above left the log').toBe(205);
	scroll.scrolled(895);
	expect(change(11, 120)).toBe(910);
});

test('the late event of scrolling by the program does not count as one of the user', () => {
	const before = scroll.top;
	rows = rowsOf(1, 119);
	scroll.scrolled(before);
	expect(change(1, 120)).toBe(1010);
});

test('stays where it is when the line at the top has left the log', () => {
	scroll.scrolled(305);
	expect(change(50, 119)).toBe(305);
});

test('does not move before its size is known', () => {
	const unknown = new TimelineScroll(() => rows);
	unknown.follow(false);
	expect([unknown.top, unknown.first]).toEqual([0, 0]);
});

test('the document has the lines in view and some around them, and never more than its slots', () => {
	scroll.scrolled(400);
	expect([scroll.first <= 40, scroll.end >= 60, scroll.end < rows.length]).toEqual([true, true, true]);
	expect(scroll.end - scroll.first).toBeLessThanOrEqual(scroll.slots);
});

test.each([
	[40, undefined],
	[59, undefined],
	[39, 380],
	[0, 0],
	[60, 420],
	[-1, undefined]
])('for line %i to be in view, it scrolls to %s', (index, top) => {
	scroll.scrolled(400);
	expect(scroll.topFor(index)).toBe(top);
});
