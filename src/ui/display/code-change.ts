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

/** A part of a text, by the offsets of its first character and of the one after its last. */
type TextRange = { readonly start: number; readonly end: number };

/**
 * What differs between two versions of code, line by line: whole words, without what both lines begin and end with.
 * @returns the parts of each version
 */
export function changedParts(
	before: string,
	after: string
): { readonly before: readonly TextRange[]; readonly after: readonly TextRange[] } {
	const [old, fresh] = [before.split('\n'), after.split('\n')];
	const parts: { before: TextRange[]; after: TextRange[] } = { before: [], after: [] };
	const at = { before: 0, after: 0 };
	for (let index = 0; index < Math.max(old.length, fresh.length); index++) {
		const [a = '', b = ''] = [old[index], fresh[index]];
		if (a !== b) {
			const start = commonStart(a, b);
			const end = commonEnd(a.slice(start), b.slice(start));
			add(parts.before, at.before + start, at.before + a.length - end);
			add(parts.after, at.after + start, at.after + b.length - end);
		}
		at.before += a.length + 1;
		at.after += b.length + 1;
	}
	return parts;
}

function add(ranges: TextRange[], start: number, end: number): void {
	if (start < end) ranges.push({ start, end });
}

/** How many characters two lines begin with alike, up to the start of a word, and at least their indentation. */
function commonStart(a: string, b: string): number {
	const least = Math.max(indentOf(a), indentOf(b));
	let count = 0;
	while (count < Math.min(a.length, b.length) && a[count] === b[count]) count++;
	while (count > 0 && isWord(a[count - 1]) && (isWord(a[count]) || isWord(b[count]))) count--;
	return Math.max(count, Math.min(least, a.length, b.length));
}

function commonEnd(a: string, b: string): number {
	let count = 0;
	while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count++;
	while (count > 0 && isWord(a.at(-count)) && (isWord(a.at(-1 - count)) || isWord(b.at(-1 - count)))) count--;
	return count;
}

const indentOf = (line: string): number => /^\s*/.exec(line)?.[0].length ?? 0;

const isWord = (character: string | undefined): boolean => character !== undefined && /[\w$]/.test(character);
