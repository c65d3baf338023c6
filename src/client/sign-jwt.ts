import { base64url } from './oauth/authorization-request.ts';

const encoder = new TextEncoder();

/** How WebCrypto calls a key of ES256 (RFC 7518, section 3.4). */
export const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/**
 * A JWT in its compact form, signed with ES256 (RFC 7515, section 7.1).
 * @param header without `alg`
 */
export async function signJwt(header: object, claims: object, privateKey: CryptoKey): Promise<string> {
	const part = (value: object) => base64url(encoder.encode(JSON.stringify(value)));
	const content = `${part({ alg: 'ES256', ...header })}.${part(claims)}`;
	const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, encoder.encode(content));
	return `${content}.${base64url(new Uint8Array(signature))}`;
}
