import type { CodeModule } from '../code-parts.ts';
import type { ComparedRow } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Context } from '../evaluation/condition.ts';
import { isOverLimit } from '../evaluation/limit-exchanges.ts';
import { readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';

/** The limit of this lesson, in calls per window. */
const limit = 20;
const calls = 2 * limit;
const maxRejected = 2;

/** A character request, or another one between them. */
type Call = { readonly entry: TrafficEntry; readonly reset: number };

/** Character requests of one address under the limit of the lesson. A learner may have changed it. */
function callsOf(entries: readonly TrafficEntry[], address: string): Call[] {
	return entries.flatMap((entry) => {
		const found = entry.endpoint === 'character' && entry.address === address ? rateLimitOf(entry) : undefined;
		return found !== undefined && found.limit <= limit ? [{ entry, reset: found.reset }] : [];
	});
}

/** Whether a request was over the limit after all requests of its window had a response. */
function meetsLimit(entry: TrafficEntry, before: readonly TrafficEntry[]): boolean {
	if (!isOverLimit(entry)) return false;
	const [own] = callsOf([entry], entry.address);
	const window = callsOf(before, entry.address).filter(
		(call) => call.reset === own?.reset && readCharacter(call.entry)
	);
	return own !== undefined && window.length === limit;
}

/** As many successful requests as two windows allow, up to this one, with hardly any over the limit. */
function slowRun(entry: TrafficEntry, { since, shown }: Context): readonly TrafficEntry[] | undefined {
	if (!readCharacter(entry) || shown('limit_met').at(-1)?.address !== entry.address) return undefined;
	const own = callsOf([...since, entry], entry.address);
	let successful = 0;
	const start = own.findLastIndex((call) => readCharacter(call.entry) && ++successful === calls);
	if (start < 0) return undefined;
	const run = own.slice(start);
	const isSlow = run.filter((call) => isOverLimit(call.entry)).length <= maxRejected;
	const windows = new Set(run.map(({ reset }) => reset)).size;
	return isSlow && windows > 1 && !signsInAfterRejection(since, run) ? run.map((call) => call.entry) : undefined;
}

/** Whether the client took a call over the limit for a problem with its token: a sign-in or a refresh came before the next call. */
function signsInAfterRejection(entries: readonly TrafficEntry[], run: readonly Call[]): boolean {
	return run.some(({ entry }, index) => {
		const next = run[index + 1]?.entry;
		if (!isOverLimit(entry) || next === undefined) return false;
		return entries.some(({ endpoint, seq }) => endpoint === 'token' && seq > entry.seq && seq < next.seq);
	});
}

export const conditions = {
	limit_met: {
		shows: (entry, { before }) => meetsLimit(entry, before)
	},
	forty_characters: {
		shows: (entry, context) => slowRun(entry, context)?.slice(0, -1) ?? false
	}
} satisfies CodeModule['conditions'];

export const comparisons = {
	pace: ({ sent }) => {
		const [fast, slow] = [sent(1), sent(2)].map((step) => step.filter(({ endpoint }) => endpoint === 'character'));
		const row = (label: string, isCounted: (entry: TrafficEntry) => boolean): ComparedRow => [
			label,
			fast?.filter(isCounted).length,
			slow?.filter(isCounted).length
		];
		return [row('Requests', () => true), row('Accepted', readCharacter), row('Over the limit', isOverLimit)];
	}
} satisfies CodeModule['comparisons'];
