import { sha256 } from '@noble/hashes/sha2.js';
import { base64url, encodeUtf8 } from '#service/core/encoding.ts';
import { equal } from './assert.ts';
import type { TestResponse } from './response.ts';
import { formType, encode, type Pairs, type Sandbox } from './sandbox.ts';

const encoded = (part: object) => base64url(encodeUtf8(JSON.stringify(part)));

/** The digest of a token, as `ath` has it. */
export function hashOf(token: string): string {
	return base64url(sha256(encodeUtf8(token)));
}

/** What a test changes of a proof. Undefined leaves a claim out. */
type Changes = {
	readonly header?: Readonly<Record<string, unknown>>;
	readonly claims?: Readonly<Record<string, unknown>>;
	/** Signs in place of the own key. */
	readonly signer?: ProofKey;
};

/** A key pair of a client that signs DPoP proofs (RFC 9449, section 4.2). */
export class ProofKey {
	private constructor(
		private readonly pair: CryptoKeyPair,
		readonly jwk: Readonly<Record<string, unknown>>
	) {}

	static async create(): Promise<ProofKey> {
		const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
		const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
		return new ProofKey(pair, { kty, crv, x, y });
	}

	/** The thumbprint of the key (RFC 7638). */
	get jkt(): string {
		const { crv, kty, x, y } = this.jwk;
		return hashOf(JSON.stringify({ crv, kty, x, y }));
	}

	/** A proof for one request, dated by the clock of the sandbox. */
	async proof(at: Sandbox, htm: string, target: string, changes: Changes = {}): Promise<string> {
		const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: this.jwk, ...changes.header };
		const iat = Math.floor((await at.now()) / 1000);
		const claims = { jti: crypto.randomUUID(), htm, htu: `${at.base_url}${target}`, iat, ...changes.claims };
		const content = `${encoded(header)}.${encoded(claims)}`;
		const { privateKey } = (changes.signer ?? this).pair;
		const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
		const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(content));
		return `${content}.${base64url(new Uint8Array(signature))}`;
	}

	/** A token request with a proof. */
	async token(at: Sandbox, fields: Pairs, changes: Changes = {}, ...headers: string[]): Promise<TestResponse> {
		const proof = await this.proof(at, 'POST', '/ws/oauth2/token/', changes);
		return at.token(fields, 'DPoP', proof, ...headers);
	}

	/** A request for a character with a bound token. */
	async character(at: Sandbox, access_token: string, changes: Changes = {}): Promise<TestResponse> {
		const claims = { ath: hashOf(access_token), ...changes.claims };
		return withProof(at, access_token, await this.proof(at, 'GET', characterPath, { ...changes, claims }));
	}
}

export const characterPath = '/ws/v2.0/character/Mara%20Vell';

/** A request for a character with a bound token and any proof. */
export function withProof(at: Sandbox, access_token: string, proof: string): Promise<TestResponse> {
	return at.get(characterPath, 'Authorization', `DPoP ${access_token}`, 'DPoP', proof);
}

/** What rejected a request: status, error, check and cause. */
export async function rejectedBy(at: Sandbox, response: TestResponse): Promise<unknown[]> {
	const failed = (await at.logged(response)).trace.find(({ outcome }) => outcome === 'failed');
	return [response.status, response.error, failed?.id, failed?.cause];
}

/** Posts a form with two headers of the same name. */
export function postTwice(at: Sandbox, fields: Pairs, name: string, value: string): Promise<TestResponse> {
	const headers = [...formType, name, value, name, value];
	return at.send({ method: 'POST', target: '/ws/oauth2/token/', headers, body: encode(fields) });
}

/** Expects a response to be successful. */
export function succeeded(response: TestResponse): TestResponse {
	equal(response.status, 200, response.text);
	return response;
}
