import type { Context } from '../core/context.ts';

/** How long the codes of a device are valid, in seconds. */
export const deviceLifetime = 600;
/** How long a device waits between two polls at first, and how much longer after each poll that came too early, in seconds. */
export const pollInterval = 5;
/** How long a poll after the end is still recognized, in milliseconds of the sandbox clock. */
export const deviceMemory = 60 * 60_000;

/** Without vowels, so that no code is a word (RFC 8628, section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const userCodeLength = 8;

/**
 * The user code that belongs to a device code, as the store knows it: without the hyphen. It is computed from the device code, so that
 * one record is found by both.
 */
export function userCodeOf(context: Context, device_code: string): string {
	const digest = context.options.digest(`user code ${device_code}`);
	const letterAt = (at: number) => letters[digest.charCodeAt(at) % letters.length] ?? '';
	return Array.from({ length: userCodeLength }, (_, at) => letterAt(at)).join('');
}

/** A user code for display: `WDJB-MJHT`. */
export function displayUserCode(code: string): string {
	return `${code.slice(0, userCodeLength / 2)}-${code.slice(userCodeLength / 2)}`;
}

/** What a user typed, as the store knows it: letters only, in upper case (RFC 8628, section 6.1). Undefined for what cannot be a code. */
export function readUserCode(typed: string): string | undefined {
	const code = typed
		.slice(0, 100)
		.toUpperCase()
		.replace(/[\s\p{Pd}._]/gu, '');
	return code.length === userCodeLength && [...code].every((letter) => letters.includes(letter)) ? code : undefined;
}
