/** How many results are cached, and of texts up to which length: enough for those that requests repeat, in little memory. */
const [maxResults, maxLength] = [200, 40];

/**
 * Caches the results for the first few texts. Those that almost every request has are among them.
 * @param compute returns the same for the same text
 */
export function memoize<T extends string | object>(compute: (text: string) => T): (text: string) => T {
	const known = new Map<string, T>();
	return (text) => {
		const cached = known.get(text);
		if (cached !== undefined) return cached;
		const result = compute(text);
		if (known.size < maxResults && text.length < maxLength) known.set(text, result);
		return result;
	};
}
