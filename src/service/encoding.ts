import { base64urlnopad } from '@scure/base';

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as base64url without padding (RFC 4648, section 5). */
export const base64url: (bytes: Uint8Array) => string = base64urlnopad.encode;

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

const invisible =
	// eslint-disable-next-line no-control-regex -- these are what is replaced
	/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|[\ud800-\udfff]/gu;

/**
 * Untrusted text for display: without invisible and direction-changing characters, and shortened.
 * @param longest in characters
 */
export function sanitizeText(text: string, longest = 80): string {
	const clean = text.slice(0, longest * 4).replace(invisible, '\ufffd');
	const letters = [...clean];
	return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : clean;
}

/** The same for text of several lines. */
export function sanitizeLines(text: string, longest: number): string {
	const lines = text.slice(0, longest).replace(/\r\n?/g, '\n').split('\n');
	return lines
		.map((line) => sanitizeText(line, longest))
		.join('\n')
		.trim();
}

/** Compares two digests of equal length in constant time. */
export function timingSafeEqual(one: string, other: string): boolean {
	let difference = one.length ^ other.length;
	for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
	return difference === 0;
}
