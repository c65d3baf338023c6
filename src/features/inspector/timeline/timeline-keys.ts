/**
 * The line that a key moves to. Undefined for a key that does not move.
 * @param active the current line; -1 for none
 * @param page lines in view
 * @param count lines in the list
 */
export function lineAfterKey(key: string, active: number, page: number, count: number): number | undefined {
	const moves: Readonly<Record<string, number>> = {
		ArrowDown: active + 1,
		ArrowUp: active < 0 ? count - 1 : active - 1,
		PageDown: active + page,
		PageUp: active - page,
		Home: 0,
		End: count - 1
	};
	const wanted = moves[key];
	return wanted === undefined ? undefined : Math.min(count - 1, Math.max(0, wanted));
}
