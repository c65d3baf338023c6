import type { Facts } from '#evidence/facts.ts';
import type { Evidence, Exercise } from '../../exercise.ts';
import { withGiven } from '../given-parts.ts';
import { changed, failedBy, kindIn, metBy, nearMissesOf, signsIn } from '../judgments.ts';
import { character, noCharacter, signedIn } from '../results.ts';
import own from './solution.ts.txt?raw';

const solution = withGiven(own, 'send', 'signIn', 'request', 'checkResponse', 'exchange');
const pause = 'await clock.sleep(1000 * 2 ** count * (1 + Math.random() / 4));';
const name = 'Mara Vell';
const mostCalls = 10;
const shortest = 500;

/** The pauses between the calls of a step, in milliseconds. */
const pausesOf = (calls: readonly Facts[]) =>
	calls.slice(1).map(({ begin }, at) => begin - (calls[at]?.entry.at ?? begin));
const inSeconds = (...pauses: readonly number[]) =>
	`${pauses.map((length) => (length / 1000).toFixed(1)).join(', ')} seconds`;

/** Whether each pause is longer than the one before. Those that are eight times the first need not grow any more. */
const doGrow = (pauses: readonly number[]): boolean =>
	pauses.every((length, at) => at === 0 || length > (pauses[at - 1] ?? 0) || length >= 8 * (pauses[0] ?? 0)) &&
	(pauses.at(-1) ?? 0) >= 1.5 * (pauses[0] ?? 0);

/** Whether two lists of pauses differ by no more than a random part of the same length. */
const areAlike = (one: readonly number[] = [], other: readonly number[] = []): boolean =>
	one.every((length, at) => Math.max(length, other[at] ?? 0) <= 2.1 * Math.min(length, other[at] ?? 0));

const callsIn = (evidence: Evidence, step: string) => kindIn(evidence, step, 'call');

export const exercise: Exercise = {
	text: 'This client reads a character, also if the service fails a few times. On the day when the service was down for an hour, it made things worse. Repair `getCharacter()`.',
	start: changed(solution, [`    ${pause}\n`, ''], ['const tries = 6;', 'const tries = 20;']),
	solution,
	differences: [
		{
			title: 'Waits longer each time',
			text: 'A service that is down gets fewer requests, and clients come back at different moments.',
			at: /clock\.sleep/
		},
		{
			title: 'Gives up',
			text: 'A user who waits for minutes would rather know.',
			at: /const tries/
		}
	],
	writesAt: /^export async function getCharacter/,
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		run.step('short');
		await run.api.request('POST /control/faults', {
			body: { endpoint: 'character', kind: 'status', status: 503, times: 2 }
		});
		await run.call('getCharacter', character(name), name);
		run.step('long', { probe: 'unavailable', uses: 1 });
		await run.api.request('POST /control/faults', {
			body: { endpoint: 'character', kind: 'status', status: 503, times: null }
		});
		await run.call('getCharacter', noCharacter(name), name);
		// What grows by chance does not do it twice.
		run.step('again');
		await run.call('getCharacter', noCharacter(name), name);
		run.step('over');
	},
	result: 'The character is returned when the service recovers',
	conditions: [
		signsIn('The client has an access token'),
		{
			id: 'recovers',
			title: 'A short failure is no failure',
			needs: 'signs_in',
			judge(evidence) {
				const calls = callsIn(evidence, 'short');
				if (calls.some(({ ok }) => ok)) return metBy(calls);
				if (evidence.step('long') === undefined) return 'open';
				return failedBy(
					calls,
					'a call that gives up too early',
					`The service failed twice, and ${calls.length === 1 ? 'your client sent no second call' : `your client sent ${calls.length} calls`}. The third one would have got the character.`
				);
			}
		},
		{
			id: 'pause',
			title: 'A pause comes before each retry',
			needs: 'recovers',
			judge(evidence) {
				const calls = callsIn(evidence, 'long');
				if (evidence.step('over') === undefined) return 'open';
				const least = Math.min(...pausesOf(calls));
				if (least < shortest)
					return failedBy(
						calls,
						least < 50 ? 'retries without a pause' : 'a short pause',
						`A call failed, and the next one followed after ${inSeconds(least)}. A service that is busy gets even more to do.`
					);
				return metBy(calls);
			}
		},
		{
			id: 'end',
			title: 'The retries end',
			needs: 'pause',
			judge(evidence) {
				const calls = callsIn(evidence, 'long');
				if (evidence.step('over') === undefined) return 'open';
				if (calls.length > mostCalls)
					return failedBy(
						calls,
						`${calls.length} calls`,
						'The service was down, and your client went on. The user waited all that time for an error.'
					);
				return metBy(calls);
			}
		},
		{
			id: 'grow',
			title: 'The pauses grow',
			needs: 'end',
			judge(evidence) {
				const calls = callsIn(evidence, 'long');
				if (evidence.step('over') === undefined) return 'open';
				const runs = [pausesOf(calls), pausesOf(callsIn(evidence, 'again'))];
				if (runs.some((pauses) => pauses.length < 2))
					return failedBy(calls, 'too few retries', 'Whether pauses grow is seen in three calls that fail, or more.');
				const wrong = runs.find((pauses) => !doGrow(pauses));
				if (wrong !== undefined)
					return failedBy(
						calls,
						'pauses that do not grow',
						`The pauses were ${inSeconds(...wrong)}. Each must be longer than the one before: the longer a failure lasts, the less a quick retry helps.`
					);
				if (!areAlike(...runs))
					return failedBy(
						calls,
						'pauses that grow by chance',
						`The pauses were ${inSeconds(...(runs[0] ?? []))}, and the next time ${inSeconds(...(runs[1] ?? []))}. The random part is larger than what they grow by.`
					);
				return metBy(calls);
			}
		}
	],
	rules: ['limit.back_off'],
	nearMisses: nearMissesOf(solution, [
		['no retry', 'recovers', ['const tries = 6;', 'const tries = 1;']],
		['fewer tries', 'pause', [`    ${pause}\n`, '']],
		['the pause is not awaited', 'pause', [pause, pause.replace('await ', '')]],
		['the same pause', 'grow', [pause, 'await clock.sleep(1000);']],
		['many tries', 'end', ['const tries = 6;', 'const tries = 20;']]
	]),
	hints: [
		'Look at the times of the calls in the list of what the service saw. How long is the pause between two of them?',
		'Wait before each retry: `await clock.sleep(1000 * 2 ** count);`. Each pause is twice as long as the one before.',
		'Add a random part, so that many clients do not come back together: `* (1 + Math.random() / 4)`. Then lower `tries` to 6.'
	]
};
