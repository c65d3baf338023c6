import { maxSigningKeys } from '#api/control/signing-keys.ts';
import { type PublicKey, type SigningAlgorithm, signingAlgorithms } from '#api/protocol/openid.ts';
import type { Context } from '../core/context.ts';
import { base64url, decodeUtf8, encodeUtf8 } from '../core/encoding.ts';
import type { SigningKey } from '../sandbox/records.ts';
import { base64urlnopad } from '@scure/base';

const recordId = 'signing_keys';

/** How WebCrypto calls each algorithm, to create or import a key and to sign (RFC 7518, section 3.1). */
const parameters = {
	RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) },
	ES256: { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' }
} as const;

/** The keys of the sandbox, newest first. */
export async function listSigningKeys({ store }: Context): Promise<readonly SigningKey[]> {
	return (await store.get('signing_key', recordId))?.keys ?? [];
}

/**
 * The keys of the sandbox, newest first. The first one is created here, so that it costs nothing where no client asks for it.
 * @throws ProtocolError `too_many_attempts` where too many keys of the address wait already
 */
export async function requireSigningKeys(context: Context): Promise<readonly [SigningKey, ...SigningKey[]]> {
	const [newest, ...older] = await listSigningKeys(context);
	if (newest !== undefined) return [newest, ...older];
	return context.queues.keys.run(context.sharer, async () => {
		// Another request may have created it meanwhile.
		const [first, ...others] = await addKey(context, signingAlgorithms[0], (known) => known.length === 0);
		return [first, ...others];
	});
}

/**
 * Creates a key that signs from now on.
 * @param alg default: that of the key before
 * @throws ProtocolError `too_many_attempts` where too many keys of the address wait already
 */
export function rotateSigningKey(context: Context, alg: SigningAlgorithm | undefined): Promise<readonly SigningKey[]> {
	return context.queues.keys.run(context.sharer, async () => {
		const [newest] = await listSigningKeys(context);
		return addKey(context, alg ?? newest?.alg ?? signingAlgorithms[0], () => true);
	});
}

/** The key as clients get it (RFC 7517, section 4). */
export function toPublicKey({ kid, alg, jwk: { n, e, crv, x, y } }: SigningKey): PublicKey {
	return { use: 'sig', alg, kid, ...(alg === 'RS256' ? { kty: 'RSA', n, e } : { kty: 'EC', crv, x, y }) };
}

/** Signs text with the private key, as RFC 7515 writes a signature. */
export async function sign({ options }: Context, { alg, jwk }: SigningKey, text: string): Promise<string> {
	const key = await options.subtle.importKey('jwk', jwk, parameters[alg], false, ['sign']);
	return base64url(new Uint8Array(await options.subtle.sign(parameters[alg], key, new Uint8Array(encodeUtf8(text)))));
}

/**
 * Whether a signature of text is that of a key. Only the public part of the key is read.
 * @throws DOMException for a key that is none
 */
export async function isSignature(
	{ options }: Context,
	{ alg, jwk }: Pick<SigningKey, 'alg' | 'jwk'>,
	text: string,
	signature: Uint8Array<ArrayBuffer>
): Promise<boolean> {
	const { n = '', e = '', crv = '', x = '', y = '' } = jwk;
	const open = alg === 'RS256' ? { kty: 'RSA', n, e } : { kty: 'EC', crv, x, y };
	const key = await options.subtle.importKey('jwk', open, parameters[alg], false, ['verify']);
	return options.subtle.verify(parameters[alg], key, signature, new Uint8Array(encodeUtf8(text)));
}

async function addKey(
	context: Context,
	alg: SigningAlgorithm,
	mayAdd: (known: readonly SigningKey[]) => boolean
): Promise<readonly [SigningKey, ...SigningKey[]]> {
	const known = await listSigningKeys(context);
	const [newest, ...older] = known;
	if (newest !== undefined && !mayAdd(known)) return [newest, ...older];
	const created = await createKey(context, alg);
	const stored = await context.store.update('signing_key', recordId, (now) => {
		const keys = now?.keys ?? [];
		return mayAdd(keys) ? { keys: [created, ...keys].slice(0, maxSigningKeys) } : now;
	});
	const [first = created, ...others] = stored?.keys ?? [];
	return [first, ...others];
}

async function createKey({ options, sandbox }: Context, alg: SigningAlgorithm): Promise<SigningKey> {
	const { subtle } = options;
	const pair = await subtle.generateKey(parameters[alg], true, ['sign', 'verify']);
	const jwk = await subtle.exportKey('jwk', pair.privateKey);
	return { kid: base64url(options.random(9)), alg, created: sandbox.seconds(), jwk };
}

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
