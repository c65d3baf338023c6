/** What a list has lost at its start and gained at its end. */
export type ListChange<T> = { readonly dropped: readonly T[]; readonly added: readonly T[] };

/**
 * Compares two versions of a log, which grows at its end and shrinks at its start. Only pointers are compared, so that this costs
 * microseconds where what follows is work for each entry.
 * @returns undefined if `after` is not a continuation of `before`
 */
export function changeOf<T>(before: readonly T[], after: readonly T[]): ListChange<T> | undefined {
	const [first] = after;
	const start = first === undefined ? before.length : before.indexOf(first);
	if (start < 0 || after.length < before.length - start) return undefined;
	for (let index = start; index < before.length; index++) if (before[index] !== after[index - start]) return undefined;
	return { dropped: before.slice(0, start), added: after.slice(before.length - start) };
}
