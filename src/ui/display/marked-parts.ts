/** A marked part of a text, by its offsets. */
export type Mark = { readonly start: number; readonly end: number };

/**
 * A piece of a text in marked and other parts.
 * @param start where the piece begins in the text
 * @param marks offsets in the text, in order
 */
export function markedParts(
	piece: string,
	start: number,
	marks: readonly Mark[]
): { readonly text: string; readonly isMarked: boolean }[] {
	const cuts = marks.flatMap((mark) => [mark.start - start, mark.end - start]);
	const inside = cuts.filter((cut) => cut > 0 && cut < piece.length);
	return [0, ...inside].map((from, index) => ({
		text: piece.slice(from, inside[index]),
		isMarked: marks.some((mark) => mark.start <= start + from && start + from < mark.end)
	}));
}
