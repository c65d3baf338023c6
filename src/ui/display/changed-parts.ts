/** A part of a text, by the offsets of its first character and of the one after its last. */
export type TextRange = { readonly start: number; readonly end: number };

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
