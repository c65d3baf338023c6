/** What a message contains in place of a labelled value: `‹code 3 GQVJab…›`, or `‹state 2›` for a short one. */
export const valueMarker = /‹([A-Za-z][A-Za-z ]* \d+)(?: ([\w~.+/=-]{6}…))?›/g;

/**
 * Writes the marker of a value.
 * @param label `code 3`
 * @param preview the first characters of a long value; empty for a short one
 */
export function writeValueMarker(label: string, preview: string): string {
	return preview === '' ? `‹${label}›` : `‹${label} ${preview}›`;
}
