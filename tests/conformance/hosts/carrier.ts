/** Request headers that a page may not set, and the status and headers of a response, are sent in this header. */
export const carrier = 'x-conformance';

export function pack(list: readonly string[]): string {
	return encodeURIComponent(JSON.stringify(list));
}

export function unpack(text: string | null): string[] {
	const list: unknown = text === null ? [] : JSON.parse(decodeURIComponent(text));
	return Array.isArray(list) ? list.map(String) : [];
}
