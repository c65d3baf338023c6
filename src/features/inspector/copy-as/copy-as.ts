import type { TrafficEntry } from '#api/control/traffic.ts';
import { toCurl } from './curl.ts';
import { toFetch } from './javascript.ts';
import { toOauth4webapi } from './oauth4webapi.ts';
import { toPython } from './python.ts';
import { requestParts } from './request-parts.ts';

/** A program that sends a logged request again. */
export type RequestCode = {
	readonly name: 'curl' | 'fetch' | 'oauth4webapi' | 'Python';
	readonly language: 'shell' | 'ts' | 'python';
	readonly code: string;
};

/**
 * A request in each language that can express it.
 * @param origin of the service
 */
export function requestCode(entry: TrafficEntry, origin: string): RequestCode[] {
	const parts = requestParts(entry, origin);
	const library = toOauth4webapi(entry, parts, origin);
	return [
		{ name: 'curl', language: 'shell', code: toCurl(parts) },
		{ name: 'fetch', language: 'ts', code: toFetch(parts) },
		...(library === undefined ? [] : [{ name: 'oauth4webapi', language: 'ts', code: library } as const]),
		{ name: 'Python', language: 'python', code: toPython(parts) }
	];
}
