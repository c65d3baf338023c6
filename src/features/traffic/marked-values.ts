/** A part of a redacted text: plain, or the name of a value that was removed. */
export type MarkedPart = { readonly text: string; readonly isValue: boolean };

/** Splits a text at the names of removed values: `[code 1]`, `[removed]`. */
export function markedValues(text: string): MarkedPart[] {
	return text
		.split(/(\[(?:removed|[A-Za-z][A-Za-z _-]{0,30} \d+)\])/)
		.map((part, index) => ({ text: part, isValue: index % 2 === 1 }))
		.filter((part) => part.text !== '');
}
