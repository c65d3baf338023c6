/** The id of the kept file that a page shows; empty: none yet. */
export function harOf(search: string): string {
	return new URLSearchParams(search).get('har') ?? '';
}

/** Adds the id of a kept file to a query of the inspector. */
export function withHar(search: string, id: string): string {
	const params = new URLSearchParams(search);
	params.set('har', id);
	return `?${params.toString()}`;
}
