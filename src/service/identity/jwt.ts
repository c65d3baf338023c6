import { base64urlnopad } from '@scure/base';
import type { Context } from '../core/context.ts';
import { base64url, decodeUtf8, encodeUtf8 } from '../core/encoding.ts';
import type { SigningKey } from '../sandbox/records.ts';
import { sign } from './signing-keys.ts';

/** The claims of a token (RFC 7519, section 4). A claim that is undefined is left out. */
export type JwtClaims = Readonly<Record<string, unknown>>;

/** One part of a token in its compact form (RFC 7515, section 7.1). */
export function encodePart(part: object): string {
	return base64url(encodeUtf8(JSON.stringify(part)));
}

/** What a part of a token says; undefined for any other text. */
export function parsePart(part: string): unknown {
	try {
		const value: unknown = JSON.parse(decodeUtf8(base64urlnopad.decode(part)) ?? '');
		return value;
	} catch {
		return undefined;
	}
}

/** The bytes of a signature; undefined for text that is not base64url. */
export function decodeSignature(signature: string): Uint8Array<ArrayBuffer> | undefined {
	try {
		return new Uint8Array(base64urlnopad.decode(signature));
	} catch {
		return undefined;
	}
}

/** A token in its compact form, not verified. */
export type Jwt = {
	/** Undefined where the part is not JSON. */
	readonly header: unknown;
	readonly claims: unknown;
	/** What is signed: the first two parts as sent. */
	readonly content: string;
	readonly signature: Uint8Array<ArrayBuffer>;
	/** It names extensions that a recipient must understand (RFC 7515, section 4.1.11). This service understands none. */
	readonly isCritical: boolean;
};

/** Reads a token. Undefined for a text that is not three parts, or whose signature is not base64url. */
export function readJwt(text: string): Jwt | undefined {
	const [head = '', payload = '', end = '', ...rest] = text.split('.');
	const signature = decodeSignature(end);
	if (signature === undefined || signature.length === 0 || rest.length > 0) return undefined;
	const header = parsePart(head);
	const isCritical = typeof header === 'object' && header !== null && 'crit' in header;
	return { header, claims: parsePart(payload), content: `${head}.${payload}`, signature, isCritical };
}

/**
 * Claims signed with a key of the sandbox, in the compact form.
 * @param typ what kind of token it is, for its header (RFC 8725, section 3.11)
 */
export async function signClaims(context: Context, key: SigningKey, typ: string, claims: JwtClaims): Promise<string> {
	const content = `${encodePart({ alg: key.alg, kid: key.kid, typ })}.${encodePart(claims)}`;
	return `${content}.${await sign(context, key, content)}`;
}
