import { base64url, encodeUtf8 } from '#service/core/encoding.ts';

/** How WebCrypto calls a key of ES256 (RFC 7518, section 3.4). */
export const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/**
 * A JWT in its compact form, signed with ES256 (RFC 7515, section 7.1).
 * @param header without `alg`
 */
export async function signJwt(header: object, claims: object, privateKey: CryptoKey): Promise<string> {
	const part = (value: object) => base64url(encodeUtf8(JSON.stringify(value)));
	const content = `${part({ alg: 'ES256', ...header })}.${part(claims)}`;
	const bytes = new Uint8Array(encodeUtf8(content));
	const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes);
	return `${content}.${base64url(new Uint8Array(signature))}`;
}
