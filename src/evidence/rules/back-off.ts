import type { Mark } from '#api/exam.ts';
import type { Facts } from '../facts.ts';
import { failed, judgeProbes, notShown, passed, passedStep } from '../judge.ts';
import { countOf, type Judgment } from '../rule.ts';
import { marksOf, within, type ClientRun } from '../run.ts';
import { groupBy } from './refreshes.ts';

// Pauses of a good client are random (“jitter”), so short ones happen by chance. A verdict needs pauses that those of the common
// algorithms (full, equal and decorrelated jitter) have in fewer than one of 100,000 runs, with the smallest base and ceiling in use.
const chance = 1e-5;
/** The smallest base of usual clients, and a low ceiling of their pauses, in milliseconds. */
const base = 20;
const ceiling = 1000;
/** The first decorrelated pause is at most three times the base, and later ones can all be the ceiling: at least 4.5 times the base. */
const mostRatio = 1.5;
/** Fewer tries of one request are usual, whatever their pauses are. Of longer pauses, more are usual. */
const leastTries = 6;
const leastSlowTries = 10;
const slowPause = 500;
/** Requests of one page begin within this time, in milliseconds. */
const togetherMs = 1000;

/**
 * The longest sum of pauses that shows that a client does not slow down, in milliseconds.
 * @param count of the pauses
 */
export function longestSum(count: number): number {
	let [full, decorrelated] = [chance, chance];
	// A sum of independent pauses, each between 0 and its limit, is below t with the chance t^n / (n! × the product of the limits), or less.
	for (let at = 0; at < count; at++) {
		full *= (at + 1) * Math.min(ceiling, base * 2 ** at);
		// Each decorrelated pause is between the base and three times the one before: at least 2 × base wide.
		decorrelated *= (at + 1) * 2 * base;
	}
	return Math.min(full ** (1 / count), count * base + decorrelated ** (1 / count));
}

/**
 * The largest ratio of the longest to the shortest pause that shows equal pauses.
 * @param count of the pauses
 */
export function largestRatio(count: number): number {
	// Given the shortest one, each decorrelated pause is in the range with the chance (ratio - 1) / 2, or less.
	return Math.min(mostRatio, 1 + 2 * (chance / count) ** (1 / (count - 1)));
}

const sumOf = (pauses: readonly number[]): number => pauses.reduce((sum, pause) => sum + pause, 0);

/**
 * Judges the tries of one request.
 * @param mark the step
 * @param uses how many of them users may have caused at the same time
 * @param mostUses the same, where each use may have sent this request
 */
function judgeTries(mark: Mark, tries: readonly Facts[], uses: number, mostUses = uses): Judgment {
	const { length } = tries;
	// One try for each use is no retry.
	if (length < leastTries || length <= uses) return passedStep(mark, tries);
	const pauses = tries.slice(1).map(({ begin }, at) => Math.max(0, begin - (tries[at]?.entry.at ?? begin)));
	const sum = sumOf(pauses);
	const ofOneUse = Math.ceil(length / Math.max(1, uses));
	if (ofOneUse >= leastTries && sum <= longestSum(ofOneUse - 1))
		return failed(tries, {
			text: `${countOf(length, 'try', 'tries')} of one request came within ${secondsOf(tries)} s.`
		});
	const longest = Math.max(...pauses);
	const isSlow = longest >= slowPause && length < leastSlowTries;
	if (!isSlow && longest <= largestRatio(pauses.length) * Math.min(...pauses))
		return failed(tries, { text: `${countOf(length, 'try', 'tries')} were sent, and the pauses never grew.` });
	const half = Math.floor(pauses.length / 2);
	if (sumOf(pauses.slice(-half)) >= 1.3 * sumOf(pauses.slice(0, half))) return passed(tries);
	// The tries of several uses mix, and each of them has few.
	return Math.ceil(length / Math.max(1, mostUses)) < leastTries ? passedStep(mark, tries) : undecided(length);
}

function secondsOf(tries: readonly Facts[]): string {
	return (((tries.at(-1)?.begin ?? 0) - (tries[0]?.begin ?? 0)) / 1000).toFixed(1);
}

const undecided = (count: number): Judgment => ({
	...notShown,
	text: `Not shown. The pauses between ${countOf(count, 'try', 'tries')} vary too much to show whether they grow.`
});

/** Judges lists of tries: one that fails is enough. */
function worstOf(judgments: readonly Judgment[]): Judgment {
	const find = (wanted: Judgment['verdict']) => judgments.find(({ verdict }) => verdict === wanted);
	const first = find('failed') ?? judgments.find(({ text }) => text !== undefined) ?? find('passed');
	return first ?? notShown;
}

function judgeCalls(run: ClientRun, mark: Mark): Judgment {
	const calls = within(mark, run.calls).filter(({ ok }) => !ok);
	const requests = [...groupBy(calls, ({ entry }) => `${entry.request.target} ${entry.grant ?? ''}`).values()];
	// Where each use reads another character, no two of them have the same request.
	const uses = Math.ceil((mark.uses ?? 0) / Math.max(1, requests.length));
	// Requests that begin together are those of one use, and each use may send all of them.
	const begins = requests.flatMap(([first]) => first?.begin ?? []);
	const isTogether = Math.max(...begins) - Math.min(...begins) < togetherMs;
	const mostUses = isTogether ? mark.uses : uses;
	const judgment = worstOf(requests.map((tries) => judgeTries(mark, tries, uses, mostUses)));
	return judgment.verdict === 'passed' ? passed(calls) : judgment;
}

/** Judges a step in which the token endpoint fails. */
function judgeRefreshes(run: ClientRun, mark: Mark): Judgment {
	const refreshes = within(mark, run.refreshes).filter(({ status = 0 }) => status >= 500);
	const requests = groupBy(refreshes, ({ credential }) => credential?.id);
	return worstOf([...requests.values()].map((tries) => judgeTries(mark, tries, mark.uses ?? 0)));
}

/** Judges whether the pauses between the tries of a client grow while the service fails. */
export function judgeBackOff(run: ClientRun): Judgment {
	const refreshes = judgeProbes(marksOf(run, 'refresh_fails'), (mark) => judgeRefreshes(run, mark));
	if (refreshes.verdict === 'failed') return refreshes;
	const calls = judgeProbes(marksOf(run, 'unavailable'), (mark) => judgeCalls(run, mark));
	return calls.verdict === 'passed' && refreshes.text !== undefined ? refreshes : calls;
}
