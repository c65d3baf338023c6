import type { Facts } from '#evidence/facts.ts';
import type { Evidence, Exercise } from '../../exercise.ts';
import { withGiven } from '../given-parts.ts';
import { changed, failedBy, kindIn, metBy, nearMissesOf, signsIn } from '../judgments.ts';
import own from './solution.ts.txt?raw';

const solution = withGiven(own, 'send', 'signIn', 'request', 'checkResponse', 'exchange');
const pause = 'await clock.sleep(1000 * 2 ** count * (1 + Math.random() / 4));';
const mostCalls = 10;
const shortest = 500;

/** The pauses between the calls of a step, in milliseconds. */
const pausesOf = (calls: readonly Facts[]) =>
	calls.slice(1).map(({ begin }, at) => begin - (calls[at]?.entry.at ?? begin));
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
		const signedIn = await run.call('signIn');
		if (signedIn.error !== undefined) return;
		run.step('short');
		await run.api.request('POST /control/faults', {
			body: { endpoint: 'character', kind: 'status', status: 503, times: 2 }
		});
		await run.call('getCharacter', 'Mara Vell');
		run.step('long', { probe: 'unavailable', uses: 1 });
		await run.api.request('POST /control/faults', {
			body: { endpoint: 'character', kind: 'status', status: 503, times: 100 }
		});
		await run.call('getCharacter', 'Mara Vell');
		run.step('over');
	},
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
				if (pausesOf(calls).some((length) => length < shortest))
					return failedBy(
						calls,
						'retries without a pause',
						'A call failed, and the next one followed at once. A service that is busy gets even more to do.'
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
				const pauses = pausesOf(calls);
				if (evidence.step('over') === undefined || pauses.length < 2) return 'open';
				if (Math.max(...pauses) < 2 * Math.min(...pauses))
					return failedBy(
						calls,
						'the same pause each time',
						`Each pause was about ${(Math.min(...pauses) / 1000).toFixed(1)} seconds. The longer a failure lasts, the less a quick retry helps.`
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
