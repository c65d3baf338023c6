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

/** The lines of two versions: those that both have, in their order, and between them the removed and the added ones. */
export function changedLines(before: string, after: string): ChangedLine[] {
	const [old, now] = [before.split('\n'), after.split('\n')];
	const lines: ChangedLine[] = [];
	let [oldAt, nowAt] = [0, 0];
	for (const [oldEnd, nowEnd] of [...commonLines(old, now), [old.length, now.length] as const]) {
		const removed = old.slice(oldAt, oldEnd);
		const added = now.slice(nowAt, nowEnd);
		lines.push(
			...removed.map((text, at) => ({ kind: 'removed' as const, text, ...markOf(text, added[at]) })),
			...added.map((text, at) => ({ kind: 'added' as const, text, ...markOf(text, removed[at]) })),
			...old.slice(oldEnd, oldEnd + 1).map((text) => ({ kind: 'same' as const, text }))
		);
		[oldAt, nowAt] = [oldEnd + 1, nowEnd + 1];
	}
	return lines;
}

/** The positions of the longest sequence of lines that both have. */
function commonLines(old: readonly string[], now: readonly string[]): (readonly [number, number])[] {
	/** Of the rest of both, from a position in each. */
	const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
	const length = (at: number, to: number) => lengths[at]?.[to] ?? 0;
	for (let at = old.length - 1; at >= 0; at--)
		for (let to = now.length - 1; to >= 0; to--)
			lengths[at]?.fill(
				old[at] === now[to] ? length(at + 1, to + 1) + 1 : Math.max(length(at + 1, to), length(at, to + 1)),
				to,
				to + 1
			);
	const found: (readonly [number, number])[] = [];
	for (let at = 0, to = 0; at < old.length && to < now.length;) {
		if (old[at] === now[to]) found.push([at++, to++]);
		else if (length(at + 1, to) >= length(at, to + 1)) at++;
		else to++;
	}
	return found;
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
