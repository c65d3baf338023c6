import type { TrafficEntry } from '#api/control/traffic.ts';
import { signedIn } from '../evaluation/common-conditions.ts';
import type { Condition, Evidence } from '../evaluation/condition.ts';
import { failedAt, readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';

/** The limit of this lesson, in calls per window. */
export const limit = 20;
const calls = 2 * limit;
const maxRejected = 2;

/** A character request, or another one between them. */
type Call = { readonly entry: TrafficEntry; readonly reset: number };

const isOverLimit = (entry: TrafficEntry) =>
	entry.endpoint === 'character' && failedAt(entry, 'rate_limit.not_exceeded');

/** Character requests of one address under the limit of the lesson. A learner may have changed it. */
function callsOf(entries: readonly TrafficEntry[], address: string): Call[] {
	return entries.flatMap((entry) => {
		const found = entry.endpoint === 'character' && entry.address === address ? rateLimitOf(entry) : undefined;
		return found !== undefined && found.limit <= limit ? [{ entry, reset: found.reset }] : [];
	});
}

function addressesIn(entries: readonly TrafficEntry[]): string[] {
	return [...new Set(entries.map(({ address }) => address))];
}

/** The first call of each address that met the limit after all calls of its window had a response. */
function rejections({ entries }: Evidence): TrafficEntry[] {
	return addressesIn(entries).flatMap((address) => {
		const own = callsOf(entries, address);
		const at = own.findIndex(({ entry, reset }, index) => {
			const window = own.slice(0, index).filter((call) => call.reset === reset && readCharacter(call.entry));
			return isOverLimit(entry) && window.length === limit;
		});
		return own[at]?.entry ?? [];
	});
}

/** As many successful calls as two windows allow, of one address, in the order of the log, with hardly any over the limit. */
function slowRun(evidence: Evidence): readonly TrafficEntry[] | undefined {
	for (const rejected of rejections(evidence)) {
		const { entries } = evidence;
		const own = callsOf(entries, rejected.address).filter(({ entry }) => entry.seq > rejected.seq);
		for (const [start, { entry }] of own.entries()) {
			if (!readCharacter(entry)) continue;
			const run = runFrom(own.slice(start));
			if (run !== undefined && !signsInAfterRejection(entries, run)) return run.map((call) => call.entry);
		}
	}
	return undefined;
}

function runFrom(all: readonly Call[]): Call[] | undefined {
	const run: Call[] = [];
	let successful = 0;
	let rejected = 0;
	for (const call of all) {
		if (isOverLimit(call.entry)) rejected++;
		if (rejected > maxRejected) return undefined;
		run.push(call);
		if (readCharacter(call.entry)) successful++;
		if (successful === calls) return new Set(run.map(({ reset }) => reset)).size > 1 ? run : undefined;
	}
	return undefined;
}

/** Whether the client took a call over the limit for a problem with its token: a sign-in or a refresh came before the next call. */
function signsInAfterRejection(entries: readonly TrafficEntry[], run: readonly Call[]): boolean {
	return run.some(({ entry }, index) => {
		const next = run[index + 1]?.entry;
		if (!isOverLimit(entry) || next === undefined) return false;
		return entries.some(({ endpoint, seq }) => endpoint === 'token' && seq > entry.seq && seq < next.seq);
	});
}

export const conditions: readonly Condition[] = [
	signedIn,
	{
		id: 'limit_met',
		label: 'Request 21 of a window was rejected',
		unmet: 'No request was over the limit yet. Send more than 20 requests in one window.',
		shownBy: (evidence) => {
			const [first] = rejections(evidence);
			return first && [first];
		}
	},
	{
		id: 'forty_characters',
		label: 'The same address got 40 responses over two windows, with at most two rejected requests',
		unmet: 'Now select Load 20 in turn twice. At most two requests may be rejected.',
		shownBy: slowRun
	}
];
