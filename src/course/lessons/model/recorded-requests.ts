import * as v from 'valibot';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Shown } from '../evaluation/evaluate.ts';
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

/** The requests that prove a lesson, each once, oldest first. */
export function requestsOf(entries: readonly TrafficEntry[], shown: Shown): RecordedRequest[] {
	const cited = new Set(Object.values(shown).flat());
	return entries
		.filter(({ id }) => cited.has(id))
		.map(({ endpoint, trace, response }) => ({
			kind: kinds[endpoint] ?? 'page',
			checks: trace.length,
			isRejected: response === null || response.status >= 400
		}));
}

/** By endpoint. Others are pages. */
const kinds: Readonly<Partial<Record<string, RecordedRequest['kind']>>> = {
	token: 'token',
	revoke: 'token',
	character: 'resource',
	ratelimits: 'resource',
	ratelimiting: 'resource'
};
