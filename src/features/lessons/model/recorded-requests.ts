import * as v from 'valibot';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { count } from '#client/storage/schema.ts';

/** What a certificate draws of one request. */
const recordedRequest = v.object({
	kind: v.picklist(['page', 'token', 'resource']),
	/** How many checks the service made. */
	checks: count,
	isRejected: v.boolean()
});
export type RecordedRequest = v.InferOutput<typeof recordedRequest>;

export const recordedRequests = v.array(recordedRequest);

/** How many requests of a lesson are recorded. A load test sends hundreds. */
const most = 24;

/** The last requests that completed a lesson, oldest first. */
export function requestsOf(entries: readonly TrafficEntry[]): RecordedRequest[] {
	return entries.flatMap((entry) => recorded(entry) ?? []).slice(-most);
}

function recorded({ endpoint, trace, response }: TrafficEntry): RecordedRequest | undefined {
	const kind = kinds[endpoint];
	if (kind === undefined) return undefined;
	return { kind, checks: trace.length, isRejected: response === null || response.status >= 400 };
}

/** By endpoint. Requests to others, such as the control API, are not part of a lesson. */
const kinds: Readonly<Partial<Record<string, RecordedRequest['kind']>>> = {
	auth: 'page',
	account: 'page',
	token: 'token',
	revoke: 'token',
	character: 'resource',
	ratelimits: 'resource',
	ratelimiting: 'resource'
};
