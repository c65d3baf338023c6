/** The result that a page of the service shows in its title; `fault`: it rejected the request itself. */
export type OobResult = { readonly name: 'code' | 'error' | 'fault'; readonly value: string };

/**
 * Parses the title of the page that shows the authorization response (sections 2.2 and 3.2): `Success,code=…`,
 * `Denied,error=…`, or `Error, …`.
 * @returns undefined for the title of any other page
 */
export function parseOobTitle(title: string): OobResult | undefined {
	const [, code] = /^Success,code=(\S+)$/.exec(title) ?? [];
	if (code !== undefined) return { name: 'code', value: code };
	const [, error] = /^Denied,error=(\S+)$/.exec(title) ?? [];
	if (error !== undefined) return { name: 'error', value: error };
	const [, fault] = /^Error, (\S+)$/.exec(title) ?? [];
	return fault === undefined ? undefined : { name: 'fault', value: fault };
}

/**
 * Parses what a user has pasted: a code, or the whole title.
 * @returns undefined if it can't be a code
 */
export function parsePastedCode(text: string): OobResult | undefined {
	const trimmed = text.trim();
	const inTitle = parseOobTitle(trimmed);
	if (inTitle !== undefined) return inTitle;
	return /^[\w.~+/=%&-]{8,512}$/.test(trimmed) ? { name: 'code', value: trimmed } : undefined;
}
