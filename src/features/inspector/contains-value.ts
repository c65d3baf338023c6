import type { TrafficValue } from '#api/control/traffic.ts';
import { findMarkers } from './split-markers.ts';

/**
 * Whether a redacted text contains a value: a label (`code 3`), a client_id or a redirect URI.
 * @param text of a traffic entry
 * @param values of this entry
 */
export function containsValue(text: string, value: string, values: readonly TrafficValue[]): boolean {
	if (text.includes(`‹${value}›`) || text.includes(`‹${value} `))
		return findMarkers(text, values).some(([, label]) => label === value);
	if (/^[A-Za-z ]+ \d+$/.test(value)) return false;
	return text.includes(value) || text.includes(encodeURIComponent(value));
}
