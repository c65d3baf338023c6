/** How the names of an application's caches begin; the rest is its version. */
export function cachePrefix(base: string): string {
	return `tollgate${base} `;
}
