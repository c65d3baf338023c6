import type { StateForm } from './control/traffic.ts';
import { decodePercent } from '#lib/percent.ts';

/** Decodes base64 or base64url. Undefined for malformed text. */
type Decode = (text: string) => string | undefined;

/** More bits than any state needs. */
const mostBits = 256;
/** A state of this length is never called guessable: it may contain more randomness than its form shows. */
const longState = 43;
const enoughBits = 64;
/** How much of a state is decoded and parsed, in characters. */
const longest = 4096;

const uuid = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;
const compact = /^[\w-]+(?:\.[\w-]*){2,4}$/;

/**
 * How a state looks, and how many bits it has at most: the values of its alphabet, as often as it has characters.
 * @param decodeBase64 that of the caller
 */
export function describeState(
	state: string,
	decodeBase64: Decode
): { readonly form: StateForm; readonly bits: number } {
	const form = formOf(state, decodeBase64);
	const bits = form === 'uuid' ? 122 : Math.floor(state.length * Math.log2(alphabetOf(state, form)));
	return { form, bits: Math.min(mostBits, state.length >= longState ? Math.max(enoughBits, bits) : bits) };
}

function formOf(state: string, decodeBase64: Decode): StateForm {
	if (/^\d+$/.test(state)) return 'decimal';
	if (uuid.test(state)) return 'uuid';
	if (/^[\da-f]+$/i.test(state)) return 'hex';
	if (compact.test(state) && isObject(decodeBase64(state.split('.', 1)[0] ?? ''))) {
		return state.split('.').length === 5 ? 'encrypted' : 'jwt';
	}
	const texts = [state, decodePercent(state, true), /^[\w+/=-]+$/.test(state) ? decodeBase64(state) : undefined];
	for (const text of texts) {
		const readable = text === undefined || text.length > longest ? undefined : readableForm(text);
		if (readable !== undefined) return readable;
	}
	return /^[\w-]+$/.test(state) ? 'base64url' : 'text';
}

/** The state of MSAL: a UUID, and how the sign-in was opened. It has nothing of the user. */
const msalState = /^\{"id":"[\da-f-]{36}","meta":\{"interactionType":"\w{1,20}"\}\}$/;

function readableForm(text: string): 'json' | 'url' | 'email' | undefined {
	if (msalState.test(text)) return undefined;
	if (isObject(text)) return 'json';
	if (/^(?:https?:\/\/|\/[\w-])/i.test(text)) return 'url';
	return /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/.test(text) ? 'email' : undefined;
}

function isObject(text: string | undefined): boolean {
	if (text === undefined || !/^\s*[[{]/.test(text)) return false;
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

function alphabetOf(state: string, form: StateForm): number {
	if (form === 'decimal') return 10;
	if (form === 'hex') return 16;
	const classes: readonly (readonly [RegExp, number])[] = [
		[/[a-z]/, 26],
		[/[A-Z]/, 26],
		[/\d/, 10],
		[/[^a-zA-Z\d]/, 2]
	];
	return Math.max(
		2,
		classes.reduce((sum, [pattern, size]) => sum + (pattern.test(state) ? size : 0), 0)
	);
}
