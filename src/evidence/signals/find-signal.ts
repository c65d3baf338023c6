import type { TrafficEntry } from '#api/control/traffic.ts';
import { callSignals, schemeSignals } from './call.ts';
import { limitSignals, loadSignals } from './limits.ts';
import { absenceSignals, progressSignals } from './progress.ts';
import { adviceSignals, callbackSignals, requestSignals } from './sign-in.ts';
import type { SeatFacts, Signal, SignalRule } from './signal.ts';
import { repeatedWithin, StepLog, type Seen } from './step-log.ts';
import { refreshSignals, tokenSignals } from './token.ts';

/** How many ids a signal has. */
const maxRequests = 10;

/** What lessons ask a student to do on purpose, by their ids. It is no reason to help. */
const asked: Readonly<Record<string, readonly string[]>> = {
	'uninvited-code': ['code_unused'],
	'one-refresh-for-all': ['loop', 'token_dead', 'same_again'],
	'slow-is-fast': ['loop', 'limit_reached'],
	'window-edge': ['limit_reached', 'same_again'],
	herd: ['limit_reached'],
	blacklisted: ['loop', 'limit_reached', 'blacklisted']
};

/** All signals. The first that holds is that of the seat. */
export const allSignals: readonly SignalRule[] = [
	...limitSignals,
	...requestSignals,
	...tokenSignals,
	...schemeSignals,
	...refreshSignals,
	...callSignals,
	...callbackSignals,
	...progressSignals,
	...loadSignals,
	...adviceSignals,
	...absenceSignals
];

/** The rule of an id. Undefined if none has it. */
export function signalOf(id: string): SignalRule | undefined {
	return allSignals.find((rule) => rule.id === id);
}

/**
 * Why a student does not get on. Null where the log shows no reason. Pure.
 * @param entries all that the log of the seat keeps, oldest first
 * @param now by the clock of the sandbox, in milliseconds
 */
export function findSignal(entries: readonly TrafficEntry[], seat: SeatFacts, now: number): Signal | null {
	const log = new StepLog(entries, seat.after, now);
	const left = asked[seat.lesson ?? ''] ?? [];
	let found: Signal | undefined;
	let newest = 0;
	for (const { id, kind, text, find } of allSignals) {
		if (found !== undefined && kind !== 'mistake') continue;
		const seen = left.includes(id) ? undefined : find(log, seat);
		if (seen === undefined) continue;
		const last = seen.entries.at(-1)?.at ?? now;
		if (found !== undefined && (seen.entries.length === 0 || last - newest <= repeatedWithin)) continue;
		found = signalFrom(id, text, seen, now);
		newest = last;
		// A mistake that is open for long does not hide one that the student makes now.
		if (kind !== 'mistake' || (log.lastFailure?.at ?? 0) - newest <= repeatedWithin) break;
	}
	return found ?? null;
}

function signalFrom(id: string, text: string, seen: Seen, now: number): Signal {
	return {
		id,
		since: seen.entries[0]?.at ?? now,
		count: seen.entries.length,
		requests: seen.entries.slice(-maxRequests).map((entry) => entry.id),
		text: seen.text ?? text
	};
}
