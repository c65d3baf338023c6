import type { CodeModule } from '../code-parts.ts';
import type { ComparedRow } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { callsUnder, isOverLimit } from '../evaluation/limit-exchanges.ts';

/** The limit of this lesson, in requests of a window. */
const limit = 5;
/** So many clients have to wait for the same reset, and to return. */
const clients = 15;
/** So many in one second are a herd, and at most so many are spread. */
const herd = 10;
const mostSpread = 7;
/** After so long without a return, those that wait for the reset alone have returned, in milliseconds. */
const pause = 1000;
/** How long after the reset a request is a return, in milliseconds. */
const returns = 15_000;

/** The requests that returned after a reset that enough rejected ones had named, with this one among them. */
function returnsWith(entry: TrafficEntry, entries: readonly TrafficEntry[]): readonly TrafficEntry[] | undefined {
	const calls = callsUnder(limit, entry.address, entries);
	if (calls.length < 2 * clients) return undefined;
	const waiting = new Map<number, TrafficEntry[]>();
	for (const call of calls.filter(isOverLimit)) {
		const reset = rateLimitOf(call)?.reset ?? 0;
		waiting.set(reset, [...(waiting.get(reset) ?? []), call]);
	}
	for (const [reset, rejected] of [...waiting].toReversed()) {
		const from = reset * 1000;
		const found = calls
			.filter(({ at, seq }) => at >= from && at < from + returns && seq > (rejected[0]?.seq ?? 0))
			.slice(0, rejected.length);
		if (found.length >= clients && found.includes(entry)) return found;
	}
	return undefined;
}

/** The same, up to this one. */
function returnedUpTo(entry: TrafficEntry, before: readonly TrafficEntry[]): readonly TrafficEntry[] | undefined {
	if (entry.endpoint !== 'character') return undefined;
	const found = returnsWith(entry, [...before, entry]);
	return found?.at(-1) === entry ? found : undefined;
}

/** The returns up to the first pause. What comes later was sent by another press, or by a client that has returned already. */
function together(calls: readonly TrafficEntry[], last: TrafficEntry): readonly TrafficEntry[] {
	const end = calls.findIndex(({ at }, index) => at > last.at && at - (calls[index - 1]?.at ?? at) > pause);
	return end < 0 ? calls : calls.slice(0, end);
}

/** How many came within one second, at most. */
function mostInOneSecond(calls: readonly TrafficEntry[]): number {
	return Math.max(0, ...calls.map(({ at }) => calls.filter((other) => other.at >= at && other.at < at + 1000).length));
}

export const conditions = {
	herd_returned: {
		shows(entry, { before }) {
			const found = returnedUpTo(entry, before);
			return found !== undefined && mostInOneSecond(found) >= herd && found.slice(0, -1);
		}
	},
	spread: {
		shows(entry, { since }) {
			const found = returnedUpTo(entry, since);
			return found !== undefined && mostInOneSecond(found) <= mostSpread && found.slice(0, -1);
		}
	}
} satisfies CodeModule['conditions'];

export const comparisons = {
	retries: ({ entries, shown }) => {
		// Those that came later, too, as the tool counts them.
		const returned = (last: TrafficEntry | undefined) => (last && returnsWith(last, entries)) ?? [];
		const last = shown('herd_returned').at(-1);
		const herdCalls = last === undefined ? [] : together(returned(last), last);
		const apart = returned(shown('spread').at(-1));
		const row = (label: string, of: (calls: readonly TrafficEntry[]) => number): ComparedRow => [
			label,
			of(herdCalls),
			of(apart)
		];
		return [
			row('Retries', (calls) => calls.length),
			row('Most in one second', mostInOneSecond),
			row('Over the limit again', (calls) => calls.filter(isOverLimit).length)
		];
	}
} satisfies CodeModule['comparisons'];
