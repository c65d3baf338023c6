import type { TrafficEntry } from '#api/control/traffic.ts';
import { isResourceRequest, refreshed } from '../exchanges.ts';
import { countOf } from '../rule.ts';
import { failedLine, isOfThisSite, type Seen, type StepLog } from './step-log.ts';
import type { SignalRule } from './signal.ts';

/** A loop is over when its endpoint had no request for this long, in milliseconds. */
const loopEnds = 10_000;
const loopCalls = 10;
const loopWindow = 2000;
/** Requests that began at the same instant are no loop. How long they must go on, in milliseconds. */
const loopLasts = 1500;
const loopTurns = 4;

const isIgnored = (entry: TrafficEntry) =>
	entry.response === null && failedLine(entry)?.id === 'address.not_blacklisted';

/** The last requests to an endpoint in 2 seconds, if they are ten or more. */
function burstOf(entries: readonly TrafficEntry[], now: number): readonly TrafficEntry[] | undefined {
	const last = entries.at(-1);
	if (last === undefined || now - last.at > loopEnds) return undefined;
	const within = entries.filter(({ at }) => last.at - at <= loopWindow);
	return within.length < loopCalls ? undefined : within;
}

/** Ten requests to one endpoint, one after the other, in 2 seconds. */
function findBurst({ entries, now }: StepLog): Seen | undefined {
	for (const endpoint of new Set(entries.map((entry) => entry.endpoint))) {
		const sent = entries.filter((entry) => entry.endpoint === endpoint && !isOfThisSite(entry));
		const within = burstOf(sent, now);
		const [first, last] = [within?.[0], within?.at(-1)];
		if (within === undefined || first === undefined || last === undefined || last.at - first.at < loopLasts) continue;
		return { entries: within, text: `Sends ${Math.round(within.length / 2)} requests a second.` };
	}
	return undefined;
}

/** The load test of the viewer sends many requests on purpose. */
function findLoadTest({ entries, now }: StepLog): Seen | undefined {
	const sent = entries.filter((entry) => isResourceRequest(entry) && isOfThisSite(entry));
	const within = burstOf(sent, now);
	return within && { entries: within };
}

/** A rejected request and a refresh in turn. */
function findRefreshLoop({ entries, now }: StepLog): Seen | undefined {
	const turns: TrafficEntry[] = [];
	for (const entry of entries.toReversed()) {
		const isRejected = isResourceRequest(entry) && entry.response?.status === 401;
		const next = turns.at(-1);
		const fits = next === undefined || (isRejected ? refreshed(next) : !refreshed(next));
		if ((!isRejected && !refreshed(entry)) || !fits) break;
		turns.push(entry);
	}
	const [last] = turns;
	if (last === undefined || turns.length < 2 * loopTurns || now - last.at > loopEnds) return undefined;
	return { entries: turns.reverse(), text: 'Gets 401, refreshes, gets 401 again.' };
}

/** Signals about limits, faults and loops. They get worse without help. */
export const limitSignals = [
	{
		id: 'blacklisted',
		kind: 'mistake',
		title: 'Blacklisted',
		text: 'Blacklisted.',
		section: '3.3',
		help: 'Stop the client, then file a support ticket.',
		find: (log, { isBlacklisted = true }) => {
			if (!isBlacklisted || log.last === undefined || !isIgnored(log.last)) return undefined;
			const entries = log.entries.filter(isIgnored);
			return { entries, text: `Blacklisted. ${countOf(entries.length, 'request')} without a response.` };
		}
	},
	{
		id: 'fault_active',
		kind: 'mistake',
		title: 'A fault is active',
		text: 'A fault caused the error. It is not the student.',
		section: '',
		help: 'End the faults of the sandbox.',
		find: ({ lastFailure }, { hasFaults = true }) =>
			hasFaults && lastFailure !== undefined && failedLine(lastFailure)?.id.startsWith('fault.') === true
				? { entries: [lastFailure] }
				: undefined
	},
	{
		id: 'limit_reached',
		kind: 'mistake',
		title: 'Over the rate limit',
		text: 'Sent requests over the limit.',
		section: '8',
		help: 'Wait for the reset time of the response headers.',
		find: (log) => {
			const entries = log.failuresOf('rate_limit.not_exceeded', 'over_limit');
			if (entries.length < 3) return undefined;
			return { entries, text: `Sent ${countOf(entries.length, 'request')} over the limit.` };
		}
	},
	{
		id: 'loop',
		kind: 'mistake',
		title: 'A loop sends requests',
		text: 'Sends many requests a second.',
		section: '8',
		help: 'Stop the client, and send the next request after the response to this one.',
		find: (log) => findRefreshLoop(log) ?? findBurst(log)
	}
] as const satisfies readonly SignalRule[];

/** Many requests that are no mistake. */
export const loadSignals = [
	{
		id: 'load_test',
		kind: 'note',
		title: 'Load test',
		text: 'Runs the load test.',
		section: '8',
		help: 'The viewer sends these requests, to show the rate limit.',
		find: findLoadTest
	}
] as const satisfies readonly SignalRule[];
