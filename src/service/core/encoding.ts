import { base64urlnopad } from '@scure/base';
import { decodePercent } from '#lib/percent.ts';

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as base64url without padding (RFC 4648, section 5). */
export const base64url: (bytes: Uint8Array) => string = base64urlnopad.encode;

/** Text in base64url as base64 with padding, for a header. */
export function base64FromUrl(text: string): string {
	const padding = '='.repeat((4 - (text.length % 4)) % 4);
	return text.replaceAll('-', '+').replaceAll('_', '/') + padding;
}

/** Decodes base64 or base64url, with or without padding. Undefined for malformed text, or for bytes that are not UTF-8. */
export function decodeBase64(text: string): string | undefined {
	try {
		return decodeUtf8(base64urlnopad.decode(text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')));
	} catch {
		return undefined;
	}
}

/** The bytes of a text in UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
	return encoder.encode(text);
}

/** Decodes UTF-8 strictly, so that two byte strings never become the same text. Undefined where the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
	try {
		return strictDecoder.decode(bytes);
	} catch {
		return undefined;
	}
}

/** Percent-encodes everything but printable ASCII, for a header. */
export function asciiUrl(url: string): string {
	return url.replace(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run.replace(/[\ud800-\udfff]/gu, '\ufffd')));
}

/** Compares two digests of equal length in constant time. */
export function timingSafeEqual(one: string, other: string): boolean {
	let difference = one.length ^ other.length;
	for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
	return difference === 0;
}

/** The credentials of HTTP Basic authentication. */
export type BasicCredentials = {
	readonly client_id: string;
	/** Empty where none was sent. */
	readonly client_secret: string;
	/** The secret as a client means it that did not form-encode it. */
	readonly unencodedSecret: string;
	/** False: the secret cannot be decoded. */
	readonly isFormEncoded: boolean;
};

/**
 * The credentials of HTTP Basic authentication, which a client form-encodes first (RFC 6749, section 2.3.1).
 * @returns undefined where the scheme is another one; `malformed` where the rest is not base64 of `client_id:client_secret`
 */
export function basicCredentials(header: string | undefined): BasicCredentials | 'malformed' | undefined {
	if (header === undefined || !/^basic(?: |$)/i.test(header)) return undefined;
	const [, sent] = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(header) ?? [];
	const pair = sent === undefined ? undefined : decodeBase64(sent);
	// Only the first colon separates (RFC 7617, section 2).
	const [, id = '', secret = ''] = /^([^:]+):(.*)$/s.exec(pair ?? '') ?? [];
	if (id === '') return 'malformed';
	const client_secret = decodePercent(secret, true);
	return {
		client_id: decodePercent(id, true) ?? id,
		client_secret: client_secret ?? secret,
		unencodedSecret: secret,
		isFormEncoded: client_secret !== undefined
	};
}
