/** A part of a text beside the same part of another text. */
export type MarkedPart = { readonly text: string; readonly isDifferent: boolean };

/** Two texts, compared character by character and without normalization. */
export type StringDifference = {
	readonly isEqual: boolean;
	readonly expected: readonly MarkedPart[];
	/** Empty where the value was not sent. */
	readonly found: readonly MarkedPart[];
	/** The first different character, counted from 1. 0: none. */
	readonly position: number;
	readonly lengths: readonly [expected: number, found: number];
	/** What the difference is, as a heading. */
	readonly title: string;
};

/** Characters that look like nothing, or like another one: blanks, controls, formats and separators of Unicode. */
const invisible = /[\p{Cc}\p{Cf}\p{Z}]/u;

/**
 * Compares two texts. Invisible characters are written as `U+200B`.
 * @param found undefined: the value was not sent
 */
export function compareStrings(expected: string, found: string | undefined): StringDifference {
	const [one, other] = [[...expected], [...(found ?? '')]];
	const length = Math.max(one.length, other.length);
	let position = 0;
	for (let at = 0; at < length && position === 0; at++) if (one[at] !== other[at]) position = at + 1;
	if (found === undefined) position = 1;
	return {
		isEqual: found === expected,
		expected: partsOf(one, position, found !== undefined && one.length >= other.length),
		found: found === undefined ? [] : partsOf(other, position, true),
		position,
		lengths: [one.length, other.length],
		title: titleOf(one, found === undefined ? undefined : other)
	};
}

/** The beginning that both have, the first different character, and the rest. */
function partsOf(characters: readonly string[], position: number, marks: boolean): MarkedPart[] {
	const parts = [
		{ text: shown(characters.slice(0, position === 0 ? undefined : position - 1)), isDifferent: false },
		{ text: position === 0 ? '' : shown(characters.slice(position - 1, position)), isDifferent: marks },
		{ text: position === 0 ? '' : shown(characters.slice(position)), isDifferent: false }
	];
	return parts.filter(({ text }) => text !== '');
}

function shown(characters: readonly string[]): string {
	return characters
		.map((character) =>
			invisible.test(character)
				? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
				: character
		)
		.join('');
}

function titleOf(expected: readonly string[], found: readonly string[] | undefined): string {
	if (found === undefined) return 'The issuer was not sent';
	const more = found.length - expected.length;
	const [long, short] = more > 0 ? [found, expected] : [expected, found];
	const isPrefix = short.every((character, at) => character === long[at]);
	if (more === 0 && isPrefix) return 'The issuers are equal';
	if (Math.abs(more) === 1 && isPrefix) return `The issuer has one character ${more > 0 ? 'more' : 'less'}`;
	return 'The response names another issuer';
}
