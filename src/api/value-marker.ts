/** The kinds of values that have a label. */
export const valueKinds = [
	'code',
	'state',
	'code verifier',
	'access token',
	'refresh token',
	'token',
	'client secret',
	'interaction',
	'CSRF token'
] as const;
export type ValueKind = (typeof valueKinds)[number];

/** What a message contains in place of a labelled value: `‹code 3 GQVJab…›`, or `‹state 2›` for a short one. */
export const valueMarker = new RegExp(String.raw`‹((?:${valueKinds.join('|')}) \d+)(?: ([\w~.+/=-]{6}…))?›`, 'g');

/**
 * Writes the marker of a value.
 * @param label `code 3`
 * @param preview the first characters of a long value; empty for a short one
 */
export function writeValueMarker(label: string, preview: string): string {
	return preview === '' ? `‹${label}›` : `‹${label} ${preview}›`;
}
