import { decodePercent } from '#lib/percent.ts';

/**
 * Whether a path leads to a page of this server, also as browsers read it: to no other server, and to no link that prepares a sandbox.
 * Empty segments and dots are rejected, because browsers resolve `/..//host` to another place than it seems.
 * @param path with query and fragment
 */
export function isPagePath(path: string): boolean {
	const [, segments] = /^((?:\/[\w\-.%~+]*)+)(?:\?[\w\-./?=&%~+]*)?(?:#[\w.=&%~-]*)?$/.exec(path) ?? [];
	if (segments === undefined || path.replace(/#.*/, '').length > 301) return false;
	const [first, ...others] = segments
		.slice(1)
		.split('/')
		.map((segment) => decodePercent(segment, false));
	const isName = (segment: string | undefined) => segment !== undefined && !/^\.{0,2}$|[/\\]/.test(segment);
	// The page / and a slash at the end are empty segments.
	const named = others[others.length - 1] === '' ? others.slice(0, -1) : others;
	return first !== 'preset' && (isName(first) || (first === '' && others.length === 0)) && named.every(isName);
}
