import { splitMarkers } from './split-markers.ts';

/**
 * Whether a redacted text contains a value: a label (`code 3`), a client_id or a redirect URI.
 * @param text of a traffic entry
 */
export function containsValue(text: string, value: string): boolean {
	if (text.includes(`‹${value}›`) || text.includes(`‹${value} `))
		return splitMarkers(text).some(({ label }) => label === value);
	if (/^[A-Za-z ]+ \d+$/.test(value)) return false;
	return text.includes(value) || text.includes(encodeURIComponent(value));
}
