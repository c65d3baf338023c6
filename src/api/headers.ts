/**
 * All values of a header, in wire order.
 * @param headers flat list (name, value, …)
 * @param name in lower case
 */
export function headerValues(headers: readonly string[], name: string): string[] {
	const values: string[] = [];
	for (let at = 0; at + 1 < headers.length; at += 2) {
		if (sameName(headers[at] ?? '', name)) values.push(headers[at + 1] ?? '');
	}
	return values;
}

/**
 * The first value of a header, or undefined.
 * @param headers flat list (name, value, …)
 * @param name in lower case
 */
export function headerValue(headers: readonly string[], name: string): string | undefined {
	for (let at = 0; at + 1 < headers.length; at += 2) {
		if (sameName(headers[at] ?? '', name)) return headers[at + 1];
	}
	return undefined;
}

function sameName(sent: string, lower: string): boolean {
	return sent.length === lower.length && (sent === lower || sent.toLowerCase() === lower);
}

/** The header of requests that a page of ours sends without its user: checks at intervals, and what it reads when it opens. */
export const automaticHeader = 'X-Tollgate-Automatic';

/** The headers of such a request. */
export const automaticRequest = { [automaticHeader]: '1' } as const;
