import { base64urlnopad } from '@scure/base';
import { decodePercent } from '#api/percent.ts';

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

/** The credentials of HTTP Basic authentication (RFC 6749, section 2.3.1); undefined for any other header. */
export function basicCredentials(header: string | undefined): [client_id: string, client_secret: string] | undefined {
	const basic = header === undefined ? undefined : /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(header)?.[1];
	if (basic === undefined) return undefined;
	// Only the first colon separates (RFC 7617, section 2).
	const [, id = '', secret = ''] = /^([^:]*):?(.*)$/s.exec(decodeBase64(basic) ?? '') ?? [];
	return [decodePercent(id, true) ?? '', decodePercent(secret, true) ?? ''];
}
