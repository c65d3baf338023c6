/**
 * Removes the base path from a request target.
 * @param base without a trailing slash
 * @param target path and query
 */
export function stripBase(base: string, target: string): string {
	return base !== '' && (target === base || target.startsWith(`${base}/`)) ? target.slice(base.length) || '/' : target;
}
