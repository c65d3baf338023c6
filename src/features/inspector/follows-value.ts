import type { TrafficEntry } from '#api/control/traffic.ts';

/**
 * Whether an exchange contains the value that is followed.
 * @param value a label (`code 3`), a client_id or a redirect URI
 */
export function followsValue(entry: TrafficEntry, value: string | undefined): boolean {
	if (value === undefined) return false;
	if (entry.client_id === value || entry.values.some(({ label }) => label === value)) return true;
	const { target, body } = entry.request;
	return [value, encodeURIComponent(value)].some((text) => target.includes(text) || body.includes(text));
}
