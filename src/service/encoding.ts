const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Bytes as base64url without padding (RFC 4648, section 5). */
export function base64url(bytes: Uint8Array): string {
	let text = '';
	let held = 0;
	let bits = 0;
	for (const byte of bytes) {
		held = ((held << 8) | byte) & 0xffff;
		bits += 8;
		while (bits >= 6) {
			bits -= 6;
			text += alphabet.charAt((held >> bits) & 63);
		}
	}
	return bits > 0 ? text + alphabet.charAt((held << (6 - bits)) & 63) : text;
}

/** The text that base64 or base64url stands for, or undefined where it stands for none in UTF-8. */
export function decodeBase64(text: string): string | undefined {
	const plain = text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
	const bytes: number[] = [];
	let held = 0;
	let bits = 0;
	for (const letter of plain) {
		const value = alphabet.indexOf(letter);
		if (value < 0) return undefined;
		held = ((held << 6) | value) & 0xffff;
		bits += 6;
		if (bits < 8) continue;
		bits -= 8;
		bytes.push((held >> bits) & 255);
	}
	return decodeUtf8(Uint8Array.from(bytes));
}

/** The bytes of a text in UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
	return encoder.encode(text);
}

/** The text, or undefined where the bytes are not UTF-8: two different byte strings never give one text. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
	try {
		return strictDecoder.decode(bytes);
	} catch {
		return undefined;
	}
}

/** Percent-encodes what a header value may not hold: everything but printable ASCII. */
export function asciiUrl(url: string): string {
	return url.replace(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run.replace(/[\ud800-\udfff]/gu, '\ufffd')));
}

const invisible =
	// eslint-disable-next-line no-control-regex -- these are what must not be shown
	/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|[\ud800-\udfff]/gu;

/**
 * A text of a stranger, fit to be shown: nothing invisible or direction-changing, and cut to a length.
 * @param longest in characters
 */
export function sanitizeText(text: string, longest = 80): string {
	const clean = text.slice(0, longest * 4).replace(invisible, '\ufffd');
	const letters = [...clean];
	return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : clean;
}

/** The same for a text of several lines. */
export function sanitizeLines(text: string, longest: number): string {
	const lines = text.slice(0, longest).replace(/\r\n?/g, '\n').split('\n');
	return lines
		.map((line) => sanitizeText(line, longest))
		.join('\n')
		.trim();
}

/** Compares two digests of equal length in a time that does not depend on where they differ. */
export function timingSafeEqual(one: string, other: string): boolean {
	let difference = one.length ^ other.length;
	for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
	return difference === 0;
}
