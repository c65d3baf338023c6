import type { Facts } from '#evidence/facts.ts';
import type {
	ConditionCode,
	ExerciseEvidence,
	ExerciseCode,
	ExerciseRun,
	Fail,
	ConditionOutcome
} from '../exercise.ts';
import { condition, kindIn, metBy } from '../shared/judgments.ts';
import { character, noCharacter, signedIn } from '../shared/results.ts';

const name = 'Mara Vell';
const mostCalls = 10;
/** In milliseconds. */
const shortest = 500;

/** The pauses between the calls of a step, in milliseconds. */
const pausesOf = (calls: readonly Facts[]) =>
	calls.slice(1).map(({ begin }, at) => begin - (calls[at]?.entry.at ?? begin));
const inSeconds = (pauses: readonly number[] = []) =>
	`${pauses.map((length) => (length / 1000).toFixed(1)).join(', ')} seconds`;

/** Whether each pause is longer than the one before. Those that are eight times the first need not grow any more. */
const doGrow = (pauses: readonly number[]): boolean =>
	pauses.every((length, at) => at === 0 || length > (pauses[at - 1] ?? 0) || length >= 8 * (pauses[0] ?? 0)) &&
	(pauses.at(-1) ?? 0) >= 1.5 * (pauses[0] ?? 0);

/** Whether two lists of pauses differ by no more than a random part of the same length. */
const areAlike = (one: readonly number[] = [], other: readonly number[] = []): boolean =>
	one.every((length, at) => Math.max(length, other[at] ?? 0) <= 2.1 * Math.min(length, other[at] ?? 0));

/** Is judged when the run is over, by the calls of the long failure. */
const longFailure = <const Name extends string>(
	mistakes: readonly Name[],
	judge: (calls: readonly Facts[], fail: Fail<Name>, evidence: ExerciseEvidence) => ConditionOutcome | undefined
): ConditionCode =>
	condition(mistakes, (evidence, fail) => {
		const calls = kindIn(evidence, 'long', 'call');
		if (evidence.step('over') === undefined) return 'open';
		return judge(calls, fail, evidence) ?? metBy(calls);
	});

const failCharacters = (run: ExerciseRun, times: number | null) =>
	run.api.request('POST /control/faults', { body: { endpoint: 'character', kind: 'status', status: 503, times } });

export const code: ExerciseCode = {
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		run.step('short');
		await failCharacters(run, 2);
		await run.call('getCharacter', character(name), name);
		run.step('long', { probe: 'unavailable', uses: 1 });
		await failCharacters(run, null);
		await run.call('getCharacter', noCharacter(name), name);
		// What grows by chance does not do it twice.
		run.step('again');
		await run.call('getCharacter', noCharacter(name), name);
		run.step('over');
	},
	conditions: {
		recovers: condition(['early', 'no_retry'], (evidence, fail) => {
			const calls = kindIn(evidence, 'short', 'call');
			if (calls.some(({ ok }) => ok)) return metBy(calls);
			if (evidence.step('long') === undefined) return 'open';
			return fail(calls.length === 1 ? 'no_retry' : 'early', calls, { calls: calls.length });
		}),
		pause: longFailure(['none', 'short'], (calls, fail) => {
			const least = Math.min(...pausesOf(calls));
			return least < shortest ? fail(least < 50 ? 'none' : 'short', calls, { pause: inSeconds([least]) }) : undefined;
		}),
		end: longFailure(['many'], (calls, fail) =>
			calls.length > mostCalls ? fail('many', calls, { count: calls.length }) : undefined
		),
		grow: longFailure(['few', 'flat', 'by_chance'], (calls, fail, evidence) => {
			const runs = [pausesOf(calls), pausesOf(kindIn(evidence, 'again', 'call'))];
			if (runs.some((pauses) => pauses.length < 2)) return fail('few', calls);
			const wrong = runs.find((pauses) => !doGrow(pauses));
			if (wrong !== undefined) return fail('flat', calls, { pauses: inSeconds(wrong) });
			const [one, other] = runs;
			return areAlike(one, other)
				? undefined
				: fail('by_chance', calls, { first: inSeconds(one), second: inSeconds(other) });
		})
	}
};
