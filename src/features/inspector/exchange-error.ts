import type { TrafficEntry } from '#api/control/traffic.ts';
import { locationOf } from './message/message-text.ts';

/** The error code of a response: in its body, or in the redirect that carries it back to the client. */
export function errorCodeOf(entry: TrafficEntry): string | undefined {
	const sent = /[?&#]error=([\w.-]+)/.exec(locationOf(entry)?.text ?? '')?.[1];
	if (sent !== undefined) return sent;
	const inBody = /"error":\s*"([\w.-]+)"|<error>([\w.-]+)</.exec(entry.response?.body ?? '');
	return inBody?.[1] ?? inBody?.[2];
}
