/**
 * A short value that changes with every request id of a certificate: `7F3A-29C1-D04E`, the start of their SHA-256 hash.
 * @param ids in any order
 */
export async function checkValue(ids: readonly string[]): Promise<string> {
	const text = ids.toSorted().join('\n');
	const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
	const hex = [...digest.subarray(0, 6)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
	return (hex.toUpperCase().match(/.{4}/g) ?? []).join('-');
}
