import type { TrafficEntry } from '#api/control/traffic.ts';
import { isReaction, withoutRepeats, type Facts } from '../facts.ts';
import { advice, failed, judgeProbes, notShown, passed, passedStep } from '../judge.ts';
import { rateLimitOf, responseHeader } from '../rate-limit-headers.ts';
import { countOf, type Judgment, type RuleCode } from '../rule.ts';
import { marksOf, within, type ClientRun } from '../run.ts';
import { judgeBackOff } from './back-off.ts';
import { judgePacing } from './pacing.ts';
import { groupBy, reactingRefreshes } from './refreshes.ts';
import { hasStopped, isCounted, isRejected, isUnderWay, isUsedUp, stopsOf, type Stop } from './used-windows.ts';

/** Whether a response has the status of the rate limit, in either dialect. */
const isOverLimit = ({ status }: Facts): boolean => status === 400 || status === 429;

const tooSlow: Judgment = {
	...notShown,
	text: 'Not shown. Your client sends requests so slowly that the window ended before it could send more.'
};

/** So many rejected calls after the last one of a window show that the client does not look at what is left. */
const mostAfterZero = 5;

/** What followed the last call of a window, with the time by which readers can tell these calls from those that were under way. */
function stopText({ last, rejected, underWay }: Stop): string {
	const after = ((rejected[0]?.begin ?? last.entry.at) - last.entry.at) / 1000;
	const text = `${countOf(rejected.length, 'request')} began after the last response of the window, the first one ${after.toFixed(1)} s later, and got an error.`;
	if (underWay === 0) return text;
	return `${text} ${countOf(underWay, 'request')} began before it arrived, which ${underWay === 1 ? 'does' : 'do'} not count.`;
}

const busyText = ({ underWay }: Stop): string =>
	`Not shown. ${countOf(underWay, 'request')} got an error, but your client was so slow that it may have sent them before it had the last response of the window.`;

/** Judges how many calls followed the last one of a window. */
const judgeStops =
	(least: number) =>
	(run: ClientRun): Judgment => {
		const stops = stopsOf(run);
		const wrong = stops.find(({ rejected }) => rejected.length >= least);
		if (wrong !== undefined) return failed([wrong.last, ...wrong.rejected], { text: stopText(wrong) });
		const stopped = stops.filter(hasStopped);
		if (stopped.length > 0) return passed(stopped.map(({ last }) => last));
		const busy = stops.find(({ underWay }) => underWay >= least);
		if (busy !== undefined) return { ...notShown, text: busyText(busy) };
		return stops.some(({ next }) => next !== undefined) ? tooSlow : notShown;
	};

const judgeSignOut = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'limited'), (mark) => {
		const rejected = within(mark, run.calls).filter((call) => isOverLimit(call) && isUsedUp(call));
		const calls = within(mark, run.calls);
		const requests = [...reactingRefreshes(run), ...run.authorizations, ...run.revocations];
		const wrong = within(mark, requests).filter((reaction) =>
			rejected.some((call) => isReaction(reaction, call, calls) && reaction.begin <= call.entry.at + 5000)
		);
		if (wrong.length > 0) return failed(wrong);
		// A client that forgets its tokens sends nothing either.
		const goesOn = ({ entry }: Facts) =>
			run.calls.some((call) => isAfter(call, entry) && call.entry.flow === entry.flow);
		return passed(rejected.filter(goesOn));
	});

const isAfter = (call: Facts, { seq }: TrafficEntry): boolean => call.entry.seq > seq;

/** Whether a response says with a date when to come back (RFC 9110, section 10.2.3). */
const saysDate = ({ entry }: Facts): boolean => /[a-z]/i.test(responseHeader(entry, 'Retry-After') ?? '');

/** Judges the windows of all marks together. */
function judgeReturn(run: ClientRun): Judgment {
	const early = new Map<number, Facts>();
	const right: Facts[] = [];
	/** Calls that followed a date and were rejected. */
	const afterDate: Facts[] = [];
	let stopsForSeconds = false;
	for (const mark of marksOf(run, 'limited')) {
		const calls = within(mark, run.calls);
		const stops = stopsOf({ ...run, calls });
		const ignored = stops.find(({ rejected }) => rejected.length >= mostAfterZero);
		if (ignored !== undefined) {
			// A client that does not pause at all breaks another rule.
			afterDate.push(...ignored.rejected.filter(saysDate));
			continue;
		}
		stopsForSeconds ||= stops.some(({ rejected }) => rejected.some((call) => !saysDate(call)));
		for (const call of calls) {
			// A client of today’s standards learns of the limit by a 429.
			const namesLimit = (other: Facts) => isUsedUp(other) && (call.status !== 429 || isRejected(other));
			const before = calls.findLast((other) => other !== call && other.entry.at <= call.begin && namesLimit(other));
			const reset = (before && rateLimitOf(before.entry)?.reset) ?? NaN;
			if (before === undefined || Number.isNaN(reset)) continue;
			const isEarly = call.begin < (reset - 1) * 1000;
			const isLate = call.begin - before.entry.at >= 1000 && !isUnderWay(run, before, call);
			if (isRejected(call) && isEarly && isLate) early.set(reset, call);
			else if (isCounted(call) && !isEarly) right.push(call);
		}
	}
	const probe = { probe: 'limited' } as const;
	if (afterDate.length > 0 && stopsForSeconds)
		return failed(afterDate, {
			...probe,
			text: 'Your client waited for a Retry-After in seconds, but not for a date.'
		});
	return early.size >= 2 ? failed([...early.values()], probe) : passed(right, probe);
}

const judgeCache = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'cache'), (mark) => {
		const calls = within(mark, run.calls).filter(({ ok }) => ok);
		const targets = groupBy(calls, ({ entry }) => `${entry.request.target} ${entry.grant ?? ''}`);
		const [same = []] = [...targets.values()].sort((a, b) => b.length - a.length);
		const minute = same.filter(({ begin }) => begin - (same[0]?.begin ?? 0) <= 60_000);
		if (minute.length >= 5) return advice(minute);
		return (mark.uses ?? 0) >= 5 ? passed(calls) : notShown;
	});

/** So many tries of one use are usual. */
const mostTries = 3;

const judgeBlacklisted = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'blacklisted'), (mark) => {
		const ignored = within(mark, run.all).filter(
			({ status, entry }) => status === undefined && entry.endpoint !== 'control'
		);
		const tries = withoutRepeats(ignored);
		return tries.length > Math.max(10, mostTries * (mark.uses ?? 0)) ? failed(tries) : passedStep(mark, ignored);
	});

/** Rules about rate limits and failing services. */
export const limitRules: readonly RuleCode[] = [
	{ id: 'limit.stop_at_zero', severity: 2, judge: judgeStops(mostAfterZero) },
	{ id: 'limit.few_refused', severity: 2, judge: judgeStops(20) },
	{ id: 'limit.not_a_sign_out', severity: 2, judge: judgeSignOut },
	{ id: 'limit.after_reset', severity: 3, judge: judgeReturn },
	{ id: 'limit.paced', severity: undefined, judge: judgePacing },
	{ id: 'limit.cache', severity: undefined, judge: judgeCache },
	{ id: 'limit.back_off', severity: 2, judge: judgeBackOff },
	{ id: 'limit.stop_when_blacklisted', severity: 2, judge: judgeBlacklisted }
];
