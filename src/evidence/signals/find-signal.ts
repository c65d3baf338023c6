import type { TrafficEntry } from '#api/control/traffic.ts';
import { callSignals, limitSignals, loadSignals, schemeSignals } from './limits.ts';
import { adviceSignals, callbackSignals, requestSignals } from './sign-in.ts';
import type { SeatFacts, Signal, SignalRule } from './signal.ts';
import { failedLine, isOfOwnClient, isOfProgram, repeatedWithin, type Seen, StepLog } from './step-log.ts';
import { refreshSignals, tokenSignals } from './token.ts';

/** How long an own client may be silent, in milliseconds. */
const ownClientSilent = 180_000;
/** How long the last condition of a lesson, or a near miss, may take, in milliseconds. */
const lastCondition = 120_000;
const sameFailures = 3;

function sameMistake(one: TrafficEntry, other: TrafficEntry): boolean {
	const [line, before] = [failedLine(one), failedLine(other)];
	return (
		one.endpoint === other.endpoint &&
		line?.id === before?.id &&
		line?.cause === before?.cause &&
		line?.found === before?.found
	);
}

/** The newest open failures that are equal, if the client has sent nothing else since. Pages request limits automatically. */
function findSameAgain({ entries: all, failures }: StepLog): Seen | undefined {
	const last = failures.at(-1);
	if (last === undefined || all.findLast((entry) => isOfProgram(entry) === isOfProgram(last)) !== last)
		return undefined;
	const different = failures.findLastIndex((entry) => !sameMistake(entry, last));
	const entries = failures.slice(different + 1);
	return entries.length >= sameFailures ? { entries } : undefined;
}

/** A near miss in words. The page of the seat judges it, because exercises and labs run there. */
const missOf = ({ miss, isDone }: SeatFacts): Seen | undefined =>
	miss === undefined || isDone ? undefined : { entries: [], text: `Near miss: ${miss.replaceAll('_', ' ')}.` };

/** Signals about progress: the same failure again, or nothing at all. */
const progressSignals = [
	{
		id: 'same_again',
		kind: 'mistake',
		title: 'Same error again',
		text: 'Gets the same error again.',
		section: '',
		help: 'Open the request in the inspector and read the failed check.',
		find: findSameAgain
	},
	{
		id: 'own_client_silent',
		kind: 'wait',
		title: 'No request of own client',
		text: 'The own client sent no request in this step.',
		section: '',
		help: 'Test the base URL and the certificate with the curl command of the seat.',
		find: ({ entries }, { client, inStep, isOwn = () => false }) =>
			client === 'own' && inStep >= ownClientSilent && !entries.some((entry) => isOfOwnClient(entry, isOwn))
				? { entries: [] }
				: undefined
	},
	{
		id: 'near_miss',
		kind: 'mistake',
		title: 'Near miss for minutes',
		text: 'Near miss in an exercise or a lab.',
		section: '',
		help: 'Open the first hint, and look at the marked line.',
		find: (_, seat) => (seat.inStep >= lastCondition ? missOf(seat) : undefined)
	},
	{
		id: 'new_near_miss',
		kind: 'note',
		title: 'Near miss',
		text: 'Near miss in an exercise or a lab.',
		section: '',
		help: 'Wait. The page says what happened.',
		find: (_, seat) => missOf(seat)
	},
	{
		id: 'one_missing',
		kind: 'wait',
		title: 'One step missing',
		text: 'All steps but one are shown.',
		section: '',
		help: 'Read the sentence under the step list of the lesson.',
		find: (_, { shown, of, inStep }) =>
			of > 1 && shown === of - 1 && inStep >= lastCondition ? { entries: [] } : undefined
	}
] as const satisfies readonly SignalRule[];

/** The last one, after all others. */
const absenceSignals = [
	{
		id: 'away',
		kind: 'note',
		title: 'Away',
		text: 'No request and no press for five minutes.',
		section: '',
		help: 'Ask in class.',
		find: (_, { presence, isDone }) => (presence === 'away' && !isDone ? { entries: [] } : undefined)
	}
] as const satisfies readonly SignalRule[];

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
