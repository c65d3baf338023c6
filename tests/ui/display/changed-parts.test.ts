import { expect, it } from 'vitest';
import { changedParts } from '#ui/display/code-change.ts';

/** The changed parts in words. */
function changes(before: string, after: string): [string[], string[]] {
	const parts = changedParts(before, after);
	return [
		parts.before.map(({ start, end }) => before.slice(start, end)),
		parts.after.map(({ start, end }) => after.slice(start, end))
	];
}

it.each([
	['if (sent && a)', 'if (!sent || a)', ['sent &&'], ['!sent ||']],
	['await refresh()', 'await refreshOnce()', ['refresh'], ['refreshOnce']],
	['a\nb(1)\nc', 'a\nb(1, 2)\nc', [], [', 2']],
	['  one()', '  two()', ['one'], ['two']],
	['same', 'same', [], []],
	['a', 'a\nb', [], ['b']]
])('marks what differs between %j and %j', (before, after, removed, added) => {
	expect(changes(before, after)).toEqual([removed, added]);
});
