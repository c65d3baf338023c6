import { base64url, encodeUtf8 } from '#service/core/encoding.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** The key pair of this page. Its private key cannot be read. */
let pair: Promise<CryptoKeyPair> | undefined;

/** What a proof is for. */
export type ProofOf = {
	readonly method: string;
	readonly url: string;
	/** Unix seconds, by the clock of the sandbox. */
	readonly iat: number;
	/** Undefined at the token endpoint. */
	readonly accessToken: string | undefined;
	/** The newest nonce of the service. */
	readonly nonce: string | undefined;
};

/** A new DPoP proof for one request (RFC 9449, section 4.2). */
export async function createProof({ method, url, iat, accessToken, nonce }: ProofOf): Promise<string> {
	const { subtle } = crypto;
	pair ??= subtle.generateKey(algorithm, false, ['sign', 'verify']);
	const { publicKey, privateKey } = await pair;
	const { kty, crv, x, y } = await subtle.exportKey('jwk', publicKey);
	const digest = accessToken && base64url(new Uint8Array(await subtle.digest('SHA-256', bytesOf(accessToken))));
	const [htu = ''] = url.split(/[?#]/, 1);
	const jti = base64url(crypto.getRandomValues(new Uint8Array(16)));
	const claims = { jti, htm: method, htu, iat, ...(digest && { ath: digest }), ...(nonce && { nonce }) };
	const content = `${encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } })}.${encode(claims)}`;
	const signature = await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytesOf(content));
	return `${content}.${base64url(new Uint8Array(signature))}`;
}

function encode(part: object): string {
	return base64url(encodeUtf8(JSON.stringify(part)));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
	return new Uint8Array(encodeUtf8(text));
}
