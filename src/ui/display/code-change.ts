import type { Mark } from './marked-parts.ts';

/** A line of two versions of a code. */
export type ChangedLine = {
	readonly kind: 'same' | 'removed' | 'added';
	readonly text: string;
	/** The part that differs from the line it replaces. Absent where the whole line is another one. */
	readonly mark?: Mark;
};

/** How much of a line must be the same as before, for the rest to be marked. */
const leastCommon = 0.3;

/** The lines of two versions: those that both begin or end with once, and between them the removed and the added ones. */
export function changedLines(before: string, after: string): ChangedLine[] {
	const [old, now] = [before.split('\n'), after.split('\n')];
	const head = commonLength(old, now);
	const tail = commonLength(old.slice(head).toReversed(), now.slice(head).toReversed());
	const removed = old.slice(head, old.length - tail);
	const added = now.slice(head, now.length - tail);
	const same = (lines: readonly string[]) => lines.map((text) => ({ kind: 'same' as const, text }));
	return [
		...same(old.slice(0, head)),
		...removed.map((text, index) => ({ kind: 'removed' as const, text, ...markOf(text, added[index]) })),
		...added.map((text, index) => ({ kind: 'added' as const, text, ...markOf(text, removed[index]) })),
		...same(old.slice(old.length - tail))
	];
}

/** The part of a line that another one does not have: whole words. */
function markOf(text: string, other: string | undefined): { readonly mark?: Mark } {
	if (other === undefined) return {};
	const [words, others] = [wordsOf(text), wordsOf(other)];
	const head = commonLength(words, others);
	const tail = commonLength(words.slice(head).toReversed(), others.slice(head).toReversed());
	const start = words.slice(0, head).join('').length;
	const end = text.length - words.slice(words.length - tail).join('').length;
	const common = start + text.length - end;
	return common < leastCommon * text.length || start >= end ? {} : { mark: { start, end } };
}

function wordsOf(text: string): string[] {
	return text.match(/\w+|\s+|[^\w\s]/g) ?? [];
}

function commonLength(one: readonly string[], other: readonly string[]): number {
	const differs = one.findIndex((item, index) => item !== other[index]);
	return differs === -1 ? Math.min(one.length, other.length) : differs;
}
