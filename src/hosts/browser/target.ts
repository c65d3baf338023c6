/**
 * A target without the path that the application stands below.
 * @param base without a trailing slash
 */
export function targetBelow(base: string, target: string): string {
	return base !== '' && (target === base || target.startsWith(`${base}/`)) ? target.slice(base.length) || '/' : target;
}
