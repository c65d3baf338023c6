import { decodePercent } from '#lib/percent.ts';
import type { Context } from './context.ts';

/**
 * What a hard code has behind its random part: all characters that need care in a URL or a form (RFC 6749, appendix A.11), and text
 * that looks encoded. It is constant, so that a code that arrives changed still tells which one it was.
 */
const tail = `${'-._~+/=%2B&x%41y'.repeat(13)}abcde`;
/** The random part: 256 bits in base64url. */
const randomPart = /^[\w-]{43}/;

/** How a client changed a code on its way. */
export type CodeDamage = 'decoded_twice' | 'not_decoded' | 'plus_as_space' | 'cut' | 'changed';

/** A code of 256 characters that clients must encode. @param token 43 characters of base64url */
export function hardCode(token: string): string {
	return token + tail;
}

/** Whether a text is a code of `hardCode`. */
export function isHardCode(text: string): boolean {
	return text.endsWith(tail) && text.length === 43 + tail.length;
}

/** The hard code that begins like a text; undefined for a text that begins otherwise. */
export function originalOf(text: string): string | undefined {
	const token = randomPart.exec(text)?.[0];
	return token === undefined ? undefined : hardCode(token);
}

/** What happened to a code. @param sent as it arrived, decoded @param original as it was issued */
export function codeDamage(sent: string, original: string): CodeDamage {
	if (sent === encodeURIComponent(original)) return 'not_decoded';
	if (sent === original.replaceAll('+', ' ')) return 'plus_as_space';
	const decoded = [decodePercent(original, false), decodePercent(original, true)];
	if (decoded.includes(sent)) return 'decoded_twice';
	// Where a sign that was not encoded ended the value, the others before it were decoded, too.
	const isCut = [original, ...decoded].some((text) => text?.startsWith(sent) === true);
	return isCut ? 'cut' : 'changed';
}

/** What programs write where they have no value. */
const literals: ReadonlySet<string> = new Set([
	'undefined',
	'null',
	'None',
	'nil',
	'NaN',
	'[object Object]',
	'[object Promise]'
]);

/** Whether a client sent the name of nothing in place of a value. Such a text is no secret. */
export function isLiteralNothing(value: string): boolean {
	return literals.has(value);
}

/** The cause and the values of an error about a code or token that the service does not know, where its form tells the mistake. */
export function damageOf(value: string): {
	readonly cause?: 'literal_nothing' | 'blank_around';
	readonly received?: readonly string[];
	readonly expected?: readonly string[];
} {
	if (isLiteralNothing(value))
		return { cause: 'literal_nothing', received: [value], expected: ['a value that this service issued'] };
	return value.trim() === value ? {} : { cause: 'blank_around' };
}

/** Redacts a code or token that was sent, unless it is the name of nothing. Returns the value. @param name of its parameter */
export function redactCredential(context: Context, value: string, name: string): string {
	return isLiteralNothing(value) ? value : context.redact(value, name);
}
