/**
 * Percent-encodes everything except printable ASCII and tabs in a header value as UTF-8 (a lone surrogate as U+FFFD), so that no
 * value can split or break a response (HT-11).
 */
export function encodeHeaderValue(value: string): string {
	return isPlain.test(value) ? value : value.replace(/[^\t\x20-\x7e]+/g, percentEncoded);
}

const isPlain = /^[\t\x20-\x7e]*$/;

function percentEncoded(text: string): string {
	const hex = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
	return Array.from(new TextEncoder().encode(text), hex).join('');
}
