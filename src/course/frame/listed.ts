/** The id of a content file is its name. */
export const idOf = (path: string): string => path.replace(/^.*\/|\.yaml$/g, '');

/** What lists say of content files, with their ids, in their order. @param summaries by path */
export function listed<Summary extends { readonly order: number }>(
	summaries: Readonly<Record<string, Summary>>
): readonly (Summary & { readonly id: string })[] {
	return Object.entries(summaries)
		.map(([path, summary]) => ({ id: idOf(path), ...summary }))
		.sort((one, other) => one.order - other.order);
}
