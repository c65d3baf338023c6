import type { CodeModule } from '../code-parts.ts';
import type { ComparedRow } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { algorithmOf, readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { callsUnder, isOverLimit } from '../evaluation/limit-exchanges.ts';

/** The limit of this lesson, in requests of a window. */
const limit = 20;
/** In milliseconds. */
const window = 3_600_000;
/** What is short beside a window, in milliseconds. */
const span = 600_000;
/** So many of a burst have to be accepted. */
const least = 15;

const isLogged = (entry: TrafficEntry) => algorithmOf(entry) === 'sliding_log';

/** The accepted requests that the same algorithm counted up to this one, from the same address. */
const acceptedUpTo = (entry: TrafficEntry, before: readonly TrafficEntry[]) =>
	callsUnder(limit, entry.address, [...before, entry]).filter(
		(call) => readCharacter(call) && isLogged(call) === isLogged(entry)
	);

/** Those of the last ten minutes, if this one is accepted too. */
function burstUpTo(entry: TrafficEntry, before: readonly TrafficEntry[]): readonly TrafficEntry[] {
	if (!readCharacter(entry)) return [];
	const recent = before.filter(({ at }) => at > entry.at - span);
	return acceptedUpTo(entry, recent);
}

/** Whether a request was accepted between 50 and 60 minutes before a time. */
const isHourOld = (accepted: readonly TrafficEntry[], time: number) =>
	accepted.some(({ at }) => at <= time - window + span && at > time - window);

const row = (
	label: string,
	of: (entries: readonly TrafficEntry[]) => number,
	pair: readonly (readonly TrafficEntry[])[]
) => [label, of(pair[0] ?? []), of(pair[1] ?? [])] satisfies ComparedRow;

export const conditions = {
	window_opened: {
		shows: (entry) => !isLogged(entry) && burstUpTo(entry, []).length > 0
	},
	late_burst: {
		shows(entry, { before }) {
			const { reset = 0 } = rateLimitOf(entry) ?? {};
			if (isLogged(entry) || reset * 1000 - entry.at > span) return false;
			const burst = burstUpTo(entry, before).filter((call) => rateLimitOf(call)?.reset === reset);
			return burst.length >= least && burst.slice(0, -1);
		}
	},
	past_limit: {
		shows(entry, { before }) {
			const burst = isLogged(entry) ? [] : burstUpTo(entry, before);
			return burst.length >= 2 * least && burst.slice(0, -1);
		}
	},
	log_opened: {
		shows: (entry) => isLogged(entry) && burstUpTo(entry, []).length > 0
	},
	log_burst: {
		shows(entry, { before }) {
			if (!isLogged(entry)) return false;
			const burst = burstUpTo(entry, before);
			const isLate = burst.length >= least && isHourOld(acceptedUpTo(entry, before), entry.at);
			return isLate && burst.slice(0, -1);
		}
	},
	log_rejects: {
		shows(entry, { before }) {
			if (!isOverLimit(entry) || !isLogged(entry)) return false;
			const accepted = acceptedUpTo(entry, before);
			const recent = accepted.filter(({ at }) => at > entry.at - span);
			// In a fixed window, a new one would have begun.
			return recent.length >= least && isHourOld(accepted, entry.at - span);
		}
	}
} satisfies CodeModule['conditions'];

export const comparisons = {
	edges: ({ entries, shown }) => {
		const calls = [shown('past_limit').at(-1), shown('log_rejects').at(-1)].map((last) =>
			callsUnder(limit, last?.address ?? '', entries).filter(
				(call) => last !== undefined && Math.abs(call.at - last.at) < span && algorithmOf(call) === algorithmOf(last)
			)
		);
		return [
			row('Sent around the edge', (found) => found.length, calls),
			row('Accepted', (found) => found.filter(readCharacter).length, calls),
			row('Over the limit', (found) => found.filter(isOverLimit).length, calls)
		];
	}
} satisfies CodeModule['comparisons'];
