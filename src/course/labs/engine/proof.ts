import { challengeOf } from '#client/oauth/authorization-request.ts';
import { curve, signJwt } from '#client/sign-jwt.ts';
import type { BackRequest } from './site.ts';

/** The key pair of a client, which is made once. No lab shows the private key. */
export function keyPair(): () => Promise<CryptoKeyPair> {
	let pair: Promise<CryptoKeyPair> | undefined;
	return () => (pair ??= crypto.subtle.generateKey(curve, false, ['sign', 'verify']));
}
const keys = keyPair();

type ProofOptions = { readonly token: string | undefined; readonly now: number; readonly jti: string };

/** A DPoP proof of the client for a request (RFC 9449, section 4.2). */
export async function createProof({ method, url }: BackRequest, { token, now, jti }: ProofOptions): Promise<string> {
	const { publicKey, privateKey } = await keys();
	const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
	const claims = {
		jti,
		htm: method,
		htu: url,
		iat: Math.floor(now / 1000),
		...(token !== undefined && { ath: await challengeOf(token) })
	};
	return signJwt({ typ: 'dpop+jwt', jwk: { kty, crv, x, y } }, claims, privateKey);
}
