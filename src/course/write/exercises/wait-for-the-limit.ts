import type { Facts } from '#evidence/facts.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { isRejected } from '#evidence/rules/used-windows.ts';
import type { ExerciseEvidence, ExerciseCode } from '../exercise.ts';
import { condition, kindIn, metBy } from '../shared/judgments.ts';
import { allCharacters, anything, signedIn } from '../shared/results.ts';

const limit = 10;
const names = Array.from({ length: 40 }, (_, index) => `Visitor ${index + 1}`);

/** The steps that read all once more. */
const furtherReadings = ['again', 'once_more'] as const;

const callsOf = (evidence: ExerciseEvidence) => kindIn(evidence, 'read', 'call');
const resetOf = ({ entry }: Facts) => (rateLimitOf(entry)?.reset ?? NaN) * 1000;

/** A call after a window that was used up. Times in milliseconds. */
type Return = {
	readonly call: Facts;
	/** How long after the end of that window it came. */
	readonly delay: number;
};

/** The first call after each window that was used up. */
function returnsOf(calls: readonly Facts[]): Return[] {
	return calls.flatMap((call, at) => {
		const before = calls[at - 1];
		if (before === undefined || rateLimitOf(before.entry)?.remaining !== 0 || isRejected(call)) return [];
		return [{ call, delay: call.begin - resetOf(before) }];
	});
}

/** Whether a time of the returns is the same in each reading. Random times differ by more. */
function isConstant(readings: readonly (readonly number[])[]): boolean {
	const [first = []] = readings;
	return first.every((_, at) => {
		const times = readings.map((reading) => reading[at] ?? Infinity);
		return Math.max(...times) - Math.min(...times) < 100;
	});
}

/** The calls that came back before the reset, after a wait that was nearly long enough. */
const earlyIn = (calls: readonly Facts[]): Facts[] =>
	calls.filter((call, at) => {
		const before = calls[at - 1];
		const left = resetOf(call) - call.begin;
		return isRejected(call) && before !== undefined && left < 10_000 && call.begin - before.entry.at > 2 * left;
	});

/** The rejected calls of the window with the most, without those that came back nearly in time. */
function mostRejected(calls: readonly Facts[]): readonly Facts[] {
	const early = earlyIn(calls);
	const windows = new Map<number, Facts[]>();
	for (const call of calls.filter((one) => isRejected(one) && !early.includes(one)))
		windows.set(resetOf(call), [...(windows.get(resetOf(call)) ?? []), call]);
	return [...windows.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

const callsIn = (returns: readonly Return[]) => returns.map(({ call }) => call);

export const code: ExerciseCode = {
	preset: {
		settings: { limits: { character: limit, window: 60, blacklist_after_refused: 1000 } },
		characters: names
	},
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		run.step('read', { probe: 'limited' });
		await run.call('readAll', allCharacters(names), names);
		// What is random differs then. Two readings may be alike by chance.
		for (const step of furtherReadings) {
			run.step(step);
			run.clock.advance(120_000);
			await run.call('readAll', allCharacters(names), names);
		}
		// A part of the window is over when it is used up.
		run.step('late');
		run.clock.advance(120_000);
		await run.call('readAll', allCharacters(names.slice(0, 1)), names.slice(0, 1));
		run.clock.advance(45_000);
		await run.call('readAll', anything, names);
		run.step('over');
	},
	conditions: {
		first: condition(['pause'], (evidence, fail) => {
			const calls = callsOf(evidence);
			const end = calls.findIndex((call) => rateLimitOf(call.entry)?.remaining === 0);
			if (end < 0) return 'open';
			const first = calls.slice(0, end + 1);
			const pauses = first.filter(({ begin }, at) => begin - (first[at - 1]?.entry.at ?? begin) >= 1000);
			return pauses.length > 1 ? fail('pause', pauses) : metBy(first);
		}),
		quiet: condition(['tries'], (evidence, fail) => {
			const most = mostRejected(callsOf(evidence));
			if (most.length > 1) return fail('tries', most, { count: most.length });
			return metBy(returnsOf(callsOf(evidence)));
		}),
		after_reset: condition(['late', 'early'], (evidence, fail) => {
			const returns = returnsOf(callsOf(evidence));
			const all = [...returns, ...returnsOf(kindIn(evidence, 'late', 'call'))];
			const late = all.filter(({ delay }) => delay > 30_000);
			if (late.length > 0) return fail('late', callsIn(late), { time: durationOf(late[0]?.delay ?? 0) });
			const early = earlyIn(callsOf(evidence));
			const [wrong] = early;
			if (wrong !== undefined) return fail('early', early, { time: durationOf(resetOf(wrong) - wrong.begin) });
			return metBy(returns);
		}),
		spread: condition(['same_moment'], (evidence, fail) => {
			const returns = returnsOf(callsOf(evidence));
			if (returns.length < 3 || evidence.step('over') === undefined) return 'open';
			const readings = [returns, ...furtherReadings.map((step) => returnsOf(kindIn(evidence, step, 'call')))];
			if (!isConstant(readings.map((reading) => reading.map(({ delay }) => delay)))) return metBy(returns);
			return fail('same_moment', callsIn(returns), { time: durationOf(Math.max(0, returns[0]?.delay ?? 0)) });
		}),
		all: condition(['ended'], (evidence, fail) => {
			const calls = callsOf(evidence);
			const read = new Set(calls.filter(({ ok }) => ok).map(({ entry }) => entry.request.target));
			if (read.size >= names.length) return 'met';
			const lost = calls.filter((call) => isRejected(call) && !read.has(call.entry.request.target));
			const isOpen =
				evidence.step(furtherReadings[0]) === undefined ||
				mostRejected(calls).length > 1 ||
				lost.length === 0 ||
				calls.some(({ status }) => status === 401);
			return isOpen ? 'open' : fail('ended', lost, { read: read.size });
		})
	}
};

/** A duration in words: `3.2 seconds`. */
function durationOf(milliseconds: number): string {
	if (milliseconds < 120_000) return `${(milliseconds / 1000).toFixed(1)} seconds`;
	return `${Math.round(milliseconds / 60_000).toLocaleString('en')} minutes`;
}
