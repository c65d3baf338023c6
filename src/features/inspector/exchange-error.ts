import type { TrafficEntry } from '#api/control/traffic.ts';

/** Where the browser is sent: by redirect, or by JSON for a page that runs as a script. */
export function locationOf({ response }: TrafficEntry): string | undefined {
	const header = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
	return header ?? /"location":\s*"([^"]+)"/.exec(response?.body ?? '')?.[1];
}

/** The error code of a response: in its body, or in the redirect that carries it back to the client. */
export function errorCodeOf(entry: TrafficEntry): string | undefined {
	const sent = /[?&#]error=([\w.-]+)/.exec(locationOf(entry) ?? '')?.[1];
	if (sent !== undefined) return sent;
	const inBody = /"error":\s*"([\w.-]+)"|<error>([\w.-]+)</.exec(entry.response?.body ?? '');
	return inBody?.[1] ?? inBody?.[2];
}
