import type { CheckId } from '#api/checks.ts';
import type { Mark, ProbeId, Severity } from '#api/exam.ts';
import { failedAt, passed as passedAt } from './exchanges.ts';
import type { Facts } from './facts.ts';
import type { Judgment } from './rule.ts';
import type { ClientRun } from './run.ts';

/** How many ids a judgment has. */
const maxRequests = 10;

type More = {
	readonly severity?: Severity;
	readonly count?: number;
	readonly text?: string;
	readonly fix?: string;
	readonly probe?: ProbeId;
};

/** The client never got into the situation. */
export const notShown: Judgment = { verdict: 'not_shown', count: 0, requests: [] };

/** After the probe, the client could not sign in any more: that it did nothing in the probe shows nothing. */
export const stoppedWorking: Judgment = {
	...notShown,
	text: 'Not shown. Your client stopped working after this step.'
};

/** What these exchanges show. Without one of them, nothing is shown. */
function shownBy(verdict: 'failed' | 'passed' | 'advice', facts: readonly Facts[], more: More): Judgment {
	const entries = [...new Set(facts.map(({ entry }) => entry))];
	const [first] = entries;
	if (first === undefined) return notShown;
	const requests = entries.slice(0, maxRequests).map(({ id }) => id);
	return { verdict, count: entries.length, requests, at: first.at, ...more };
}

/** The client did what it must not do. @param facts the exchanges that show it */
export const failed = (facts: readonly Facts[], more: More = {}): Judgment => shownBy('failed', facts, more);

/** Legal, but not best. */
export const advice = (facts: readonly Facts[], more: More = {}): Judgment => shownBy('advice', facts, more);

/** The client was in the situation, and did the right thing. */
export const passed = (facts: readonly Facts[], more: More = {}): Judgment => shownBy('passed', facts, more);

/** The client did nothing wrong in a step. One that was broken off shows nothing then. @param facts what it did right */
export function passedStep({ isCutOff }: Mark, facts: readonly Facts[]): Judgment {
	if (isCutOff !== true || facts.length === 0) return passed(facts);
	return cutOff('It recorded no mistake, and too little to rule one out.');
}

/** The step was broken off before it could show a mistake. @param what was seen until then, as a sentence */
export const cutOff = (what: string): Judgment => ({
	...notShown,
	text: `Not shown. The exam broke this step off before its end. ${what}`
});

/**
 * Judges by exchanges that only a faulty client causes.
 * @param wrong the exchanges that show the mistake
 * @param right those that show that the client can do it
 * @param least how many wrong ones are a mistake: a single one can be an accident
 */
export function judgeWrong(wrong: readonly Facts[], right: readonly Facts[], least = 1, more: More = {}): Judgment {
	return wrong.length >= least ? failed(wrong, more) : passed(right);
}

/**
 * Fails where checks of the service rejected requests, and passes where they accepted some.
 * @param least how many rejected ones are a mistake
 */
export function judgeChecks({ checked }: ClientRun, checks: readonly CheckId[], least?: number): Judgment {
	const where = (is: typeof failedAt) =>
		checks.flatMap((id) => checked(id).filter(({ entry }) => is(entry, id))).sort((a, b) => a.entry.seq - b.entry.seq);
	return judgeWrong(where(failedAt), where(passedAt), least);
}

/**
 * Judges each time that the exam ran a probe: one `failed` is enough.
 * @param judge one time
 */
export function judgeProbes(marks: readonly Mark[], judge: (mark: Mark) => Judgment): Judgment {
	const judgments = marks.map((mark) => ({ ...judge(mark), probe: mark.probe }));
	for (const wanted of ['failed', 'advice', 'passed'] as const) {
		const found = judgments.find(({ verdict }) => verdict === wanted);
		if (found !== undefined) return found;
	}
	return judgments.find(({ text }) => text !== undefined) ?? notShown;
}
