/** Scopes as a set: each once, in the order in which the consent page lists them and tokens have them. */
export function scopeSet(scopes: Iterable<string>): string[] {
	return [...new Set(scopes)].sort();
}
