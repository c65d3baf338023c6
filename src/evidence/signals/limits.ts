import type { TrafficEntry } from '#api/control/traffic.ts';
import { isResourceRequest, refreshed } from '../exchanges.ts';
import { countOf } from '../rule.ts';
import { failedLine, type Seen, type StepLog } from './step-log.ts';
import type { SignalRule } from './signal.ts';

/** A loop is over when its endpoint had no request for this long, in milliseconds. */
const loopEnds = 10_000;
const loopCalls = 10;
const loopWindow = 2000;
const loopTurns = 4;

const isIgnored = (entry: TrafficEntry) =>
	entry.response === null && failedLine(entry)?.id === 'address.not_blacklisted';

/** Ten requests to one endpoint in 2 seconds. */
function findBurst({ entries, now }: StepLog): Seen | undefined {
	for (const endpoint of new Set(entries.map((entry) => entry.endpoint))) {
		const sent = entries.filter((entry) => entry.endpoint === endpoint);
		const [first, last] = [sent.at(-loopCalls), sent.at(-1)];
		if (first === undefined || last === undefined) continue;
		if (last.at - first.at > loopWindow || now - last.at > loopEnds) continue;
		const within = sent.filter(({ at }) => last.at - at <= loopWindow);
		return { entries: within, text: `A loop sends ${Math.round(within.length / 2)} calls a second.` };
	}
	return undefined;
}

/** A refused call and a refresh in turn. */
function findRefreshLoop({ entries, now }: StepLog): Seen | undefined {
	const turns: TrafficEntry[] = [];
	for (const entry of entries.toReversed()) {
		const isRefused = isResourceRequest(entry) && entry.response?.status === 401;
		const next = turns.at(-1);
		const fits = next === undefined || (isRefused ? refreshed(next) : !refreshed(next));
		if ((!isRefused && !refreshed(entry)) || !fits) break;
		turns.push(entry);
	}
	const [last] = turns;
	if (last === undefined || turns.length < 2 * loopTurns || now - last.at > loopEnds) return undefined;
	return { entries: turns.reverse(), text: 'A loop: a call gets 401, a refresh follows, and again.' };
}

/** Signals about limits, faults and loops. They get worse without help. */
export const limitSignals = [
	{
		id: 'blacklisted',
		title: 'Blacklisted',
		text: 'Blacklisted.',
		section: '3.3',
		help: 'Stop the client, then file a support ticket.',
		find: (log) => {
			if (log.last === undefined || !isIgnored(log.last)) return undefined;
			const entries = log.entries.filter(isIgnored);
			return { entries, text: `Blacklisted. ${countOf(entries.length, 'call')} since.` };
		}
	},
	{
		id: 'fault_active',
		title: 'A fault is active',
		text: 'A fault causes the error. It is not the student.',
		section: '',
		help: 'End the faults of the sandbox.',
		find: ({ lastFailure }) =>
			lastFailure !== undefined && failedLine(lastFailure)?.id.startsWith('fault.') === true
				? { entries: [lastFailure] }
				: undefined
	},
	{
		id: 'limit_reached',
		title: 'At the rate limit',
		text: 'At the limit.',
		section: '8',
		help: 'Wait for the reset time of the response headers.',
		find: (log, { refusalsLeft }) => {
			const entries = log.failuresOf('rate_limit.not_exceeded', 'over_limit');
			if (entries.length < 3) return undefined;
			const left = refusalsLeft === undefined ? '' : ` ${countOf(refusalsLeft, 'refusal')} until the blacklist.`;
			return { entries, text: `At the limit.${left}` };
		}
	},
	{
		id: 'loop',
		title: 'A loop sends requests',
		text: 'A loop sends requests.',
		section: '8',
		help: 'Stop the client, and send the next request after the response to this one.',
		find: (log) => findRefreshLoop(log) ?? findBurst(log)
	}
] as const satisfies readonly SignalRule[];
