import type { Facts } from '../facts.ts';
import { advice, passed } from '../judge.ts';
import { rateLimitOf } from '../rate-limit-headers.ts';
import { countOf, type Judgment } from '../rule.ts';
import type { ClientRun } from '../run.ts';
import { isRejected } from './used-windows.ts';

/** Smaller limits, such as that of the exam, are used up by what users do. */
const leastToPace = 10;
/** How soon after the reset a client is back that waited for it, in milliseconds. */
const backTime = 5000;

/** The calls of one window with a fixed end, oldest first. Times are in milliseconds. */
type Window = {
	readonly limit: number;
	readonly end: number;
	/** The calls that were let through. */
	readonly calls: Facts[];
	readonly rejected: Facts[];
	/** The first call of the address in a later window. */
	next: Facts | undefined;
};

/** The windows of the log. Where the limit slides, each call has its own window. */
function windowsOf({ calls }: ClientRun): Window[] {
	const windows: Window[] = [];
	const latest = new Map<string, Window>();
	for (const call of calls) {
		const rate = rateLimitOf(call.entry);
		if (rate === undefined) continue;
		const key = `${call.entry.endpoint} ${call.entry.address}`;
		const end = rate.reset * 1000;
		let window = latest.get(key);
		if (window?.end !== end) {
			if (window !== undefined) window.next = call;
			window = { limit: rate.limit, end, calls: [], rejected: [], next: undefined };
			latest.set(key, window);
			windows.push(window);
		}
		(isRejected(call) ? window.rejected : window.calls).push(call);
	}
	return windows;
}

/** Milliseconds from the first call of a window to one of its calls, and to its end. */
function timesOf({ calls, end }: Window, at: number): { readonly used: number; readonly length: number } {
	const begin = calls[0]?.begin ?? end;
	return { used: (calls[at]?.begin ?? end) - begin, length: end - begin };
}

/** Whether a client used up a window in the first tenth of its time, alone, and had more to send. */
function isBurst(window: Window): boolean {
	const { calls, limit, rejected, next, end } = window;
	const { used, length } = timesOf(window, calls.length - 1);
	const isBack = next !== undefined && next.begin >= end - 1000 && next.begin <= end + backTime;
	return calls.length >= limit && used <= length / 10 && (rejected.length > 0 || isBack);
}

/** Whether at least half of a window was used, no call was rejected, and a quarter of the calls came after the first quarter of its time. */
function isSpread(window: Window): boolean {
	const { calls, limit, rejected } = window;
	const { used, length } = timesOf(window, Math.floor(0.75 * calls.length));
	return rejected.length === 0 && calls.length >= limit / 2 && used >= length / 4;
}

/** Judges whether a client spreads the requests of long runs over the windows of the rate limit (section 8.9). At worst, this is advice. */
export function judgePacing(run: ClientRun): Judgment {
	const windows = windowsOf(run).filter(({ limit }) => limit >= leastToPace);
	const bursts = windows.filter(isBurst);
	const [first] = bursts;
	if (first === undefined || bursts.length < 2)
		return passed(windows.filter(isSpread).flatMap(({ calls }) => calls.at(-1) ?? []));
	const { used, length } = timesOf(first, first.calls.length - 1);
	const time = `${Math.ceil(used / 1000).toLocaleString('en')} s of ${Math.floor(length / 1000).toLocaleString('en')} s`;
	return advice(
		bursts.flatMap(({ calls, rejected, next }) => [calls.at(-1) ?? [], rejected[0] ?? next ?? []].flat()),
		{
			text: `In ${countOf(bursts.length, 'window')}, your client used all ${countOf(first.limit, 'call')} within ${time}, and had more to send.`
		}
	);
}
