import { failedAt } from '../exchanges.ts';
import type { Facts } from '../facts.ts';
import { rateLimitOf } from '../rate-limit-headers.ts';
import type { ClientRun } from '../run.ts';

/** What a client did after it had used up a window. */
export type Stop = {
	/** The response with 0 requests left. */
	readonly last: Facts;
	/** Milliseconds from the call before it in the same window to that one: how often the client sends calls. 0: there is no other. */
	readonly pace: number;
	/** The calls that were rejected and began after the client had the response. */
	readonly rejected: Facts[];
	/** How many rejected calls began before: they were under way. */
	underWay: number;
	/** The latest rejected call, if there is one. */
	latest: Facts | undefined;
	/** The next call that succeeded. */
	next: Facts | undefined;
};

/** Whether a call was over the limit. */
export const isRejected = ({ entry }: Facts): boolean => failedAt(entry, 'rate_limit.not_exceeded');

/** Whether a response said that no request is left. */
export const isUsedUp = ({ entry }: Facts): boolean => rateLimitOf(entry)?.remaining === 0;

/** Whether a call was let through. A character may not exist. */
export const isCounted = ({ ok, status }: Facts): boolean => ok || status === 404;

/** How long a response takes to a client at least, in milliseconds. */
const deliveryTime = 500;

/** How long a response takes to the client, in milliseconds, judged by its fastest reaction: an exchange to its code. */
function fastestReaction({ exchanges, flows }: ClientRun): number {
	const ends = new Map(flows.map(({ end }) => [end.flow, end]));
	const times = exchanges.flatMap(({ begin, entry }) => {
		const end = ends.get(entry.flow);
		return end === undefined || begin < end.at ? [] : [begin - end.at];
	});
	return times.length === 0 ? deliveryTime : Math.max(deliveryTime, Math.min(...times));
}

/**
 * Returns what tells whether a client had a response before it sent a call. In an exam, the client had it once the uses before had ended,
 * however slow its machine is. Where they had not, the slowest of them counts. Calls that were sent before were under way.
 */
function knowledgeOf(run: ClientRun): (last: Facts, call: Facts) => boolean {
	const fastest = fastestReaction(run);
	return (last, call) => {
		const mark = run.marks.find(({ from, to }) => from <= call.entry.seq && call.entry.seq <= to);
		const { settled = 0, slowest = 0 } = mark ?? {};
		const isSettled = last.entry.seq <= settled && settled < call.entry.seq;
		const reaction = isSettled ? deliveryTime : Math.max(fastest, slowest);
		return call.begin > last.entry.at + reaction;
	};
}

/** Milliseconds from a call to the next one of the same window. */
function paceOf(call: Facts, before: Facts | undefined): number {
	const isSameWindow = before !== undefined && rateLimitOf(before.entry)?.reset === rateLimitOf(call.entry)?.reset;
	return isSameWindow ? call.begin - before.begin : 0;
}

/** Whether a call came before the client can have known of a response. */
export const isUnderWay = (run: ClientRun, last: Facts, call: Facts): boolean => !knowledgeOf(run)(last, call);

/** The windows that a client used up: each address has one for each endpoint. */
export function stopsOf(run: ClientRun): Stop[] {
	const { calls } = run;
	const hadResponse = knowledgeOf(run);
	const stops: Stop[] = [];
	const open = new Map<string, Stop>();
	/** The latest call with requests left. */
	const before = new Map<string, Facts>();
	for (const call of calls) {
		const key = `${call.entry.endpoint} ${call.entry.address}`;
		const stop = open.get(key);
		if (isRejected(call)) {
			if (stop === undefined) continue;
			stop.latest = call;
			if (hadResponse(stop.last, call)) stop.rejected.push(call);
			else stop.underWay++;
		} else if (isCounted(call)) {
			if (stop !== undefined) stop.next = call;
			open.delete(key);
			if (!isUsedUp(call)) {
				before.set(key, call);
				continue;
			}
			const begun: Stop = {
				last: call,
				pace: paceOf(call, before.get(key)),
				rejected: [],
				underWay: 0,
				latest: undefined,
				next: undefined
			};
			open.set(key, begun);
			stops.push(begun);
		}
	}
	return stops;
}

/**
 * Whether a client sent nothing for a time in which it would have sent a call: between its last call and the reset. The window of a client
 * that is slow ends before that shows.
 */
export function hasStopped({ last, pace, latest, next }: Stop): boolean {
	if (next === undefined) return false;
	const from = (latest ?? last).entry.at;
	const reset = (rateLimitOf(last.entry)?.reset ?? Infinity) * 1000;
	return Math.min(reset, next.begin) - from > 2 * pace + deliveryTime;
}
