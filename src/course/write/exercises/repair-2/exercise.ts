import type { ProbeId } from '#api/exam.ts';
import { randomText } from '#client/oauth/authorization-request.ts';
import type { Exercise } from '../../exercise.ts';
import { rejects, rejectsDenial, signInDenied, signInWithForeignCode } from '../attacks.ts';
import { changed, failedBy, gotToken, isRejection, kindIn, metBy, nearMissesOf, signsIn } from '../judgments.ts';
import { anError, signedIn } from '../results.ts';
import solution from './solution.ts.txt?raw';

const compares = "if (response.get('state') !== pending.state)";
const foreign = {
	title: 'the code of another user',
	text: 'The link of an attacker had the code of player-three. Your client sent it.'
};

export const exercise: Exercise = {
	text: 'This client signs users in without PKCE, so its state must protect them. It rejects a wrong one. Still, a user opened a link from a mail, and was signed in as `player-three`. Repair `finish()`.',
	start: changed(solution, [compares, "const state = response.get('state');\n  if (state && state !== pending.state)"]),
	solution,
	differences: [
		{
			title: 'Compares in each case',
			text: 'A missing state is another one. No condition lets a response pass without it.',
			at: /!== pending\.state/
		}
	],
	writesAt: /^async function finish/,
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		const attack = (step: string, probe: ProbeId, change: (response: URLSearchParams) => void) =>
			signInWithForeignCode(run, step, probe, change, anError);
		await attack('wrong_state', 'wrong_state', (response) => response.set('state', randomText()));
		await attack('no_state', 'no_state', (response) => response.delete('state'));
		await attack('empty_state', 'no_state', (response) => response.set('state', ''));
		await signInDenied(run, anError);
		run.step('again');
		await run.call('signIn', signedIn);
		run.step('over');
	},
	result: 'Right responses sign in, all others throw an error',
	conditions: [
		signsIn('A right response is accepted'),
		rejects({ id: 'wrong_state', title: 'Another state is rejected' }, 'wrong_state', foreign),
		rejects({ id: 'no_state', title: 'The link from the mail is rejected', needs: 'wrong_state' }, 'no_state', foreign),
		rejects({ id: 'empty_state', title: 'A link with another ending, too', needs: 'no_state' }, 'empty_state', foreign),
		rejectsDenial,
		{
			id: 'again',
			title: 'The next sign-in works',
			needs: 'signs_in',
			judge(evidence) {
				const sent = kindIn(evidence, 'again', 'exchange', 'other_token_request');
				if (sent.some(gotToken)) return metBy(sent);
				if (evidence.step('over') === undefined) return 'open';
				if (sent.some(isRejection))
					return failedBy(
						sent,
						'a rejected token request',
						'The response was right, and the service rejected the token request that followed.'
					);
				return failedBy(
					kindIn(evidence, 'again', 'authorization'),
					'closed for everyone',
					'After the attack, your client sent no code for the next response of the user, although its state was right.'
				);
			}
		}
	],
	rules: ['callback.foreign_code', 'callback.state_required', 'callback.denial', 'exchange.real_values'],
	nearMisses: nearMissesOf(solution, [
		[
			'a missing state is rejected, an empty one is not',
			'empty_state',
			[compares, "const state = response.get('state');\n  if (state === null || (state && state !== pending.state))"]
		],
		[
			'the empty state is rejected, a missing one is not',
			'no_state',
			[compares, "if ((response.get('state') ?? pending.state) !== pending.state)"]
		],
		['only the presence counts', 'wrong_state', [compares, "if (!response.get('state'))"]],
		[
			'closed after an attack',
			'again',
			[
				'async function finish(response: URLSearchParams) {',
				'let attacks = 0;\n\nasync function finish(response: URLSearchParams) {'
			],
			[
				`${compares}\n    throw`,
				`if (attacks > 0 || response.get('state') !== pending.state) attacks++;\n  if (attacks > 0) throw`
			]
		]
	]),
	hints: [
		'Look at the response of the link in the list of what the service saw. Which parameter is missing?',
		'The comparison must not depend on the response: what an attacker leaves out must not be a way around it.',
		"Compare without a condition: `if (response.get('state') !== pending.state)`. A missing state is `null`, and differs from each text."
	]
};
