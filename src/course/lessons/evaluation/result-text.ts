import type { TrafficEntry } from '#api/control/traffic.ts';
import { issued } from '#evidence/exchanges.ts';

/** What came back, in a few words: `200 access token`, `400 invalid_grant`, `no response`. */
export function resultOf(entry: TrafficEntry | undefined): string | undefined {
	if (entry === undefined) return undefined;
	if (entry.response === null) return 'no response';
	const { status, body } = entry.response;
	if (issued(entry, 'access_token') !== undefined) return `${status} access token`;
	const error = /"error": ?"([^"]+)"/.exec(body)?.[1];
	return error === undefined ? String(status) : `${status} ${error}`;
}
