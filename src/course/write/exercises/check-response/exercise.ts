import type { Exercise } from '../../exercise.ts';
import { rejects, rejectsDenial, signInDenied, signInWith, signInWithForeignCode } from '../attacks.ts';
import { withGiven } from '../given-parts.ts';
import { failedBy, gotToken, kindIn, metBy, nearMissesOf, signsIn } from '../judgments.ts';
import { anError, signedIn } from '../results.ts';
import own from './solution.ts.txt?raw';
import start from './start.ts.txt?raw';

const solution = withGiven(own, 'request', 'exchange');
const compares = "if (response.get('state') !== state)";

export const exercise: Exercise = {
	text: 'The browser came back, but anyone can open this address. Write `checkResponse()`: return the code if the response belongs to this sign-in. Throw an error if it does not, or if the user denied access.',
	start: withGiven(start, 'request', 'exchange'),
	solution,
	differences: [
		{
			title: 'Compares the state first',
			text: 'Nothing else is used before the response is known to belong to this sign-in.',
			at: /!== state/
		},
		{
			title: 'Keeps the error code',
			text: 'A user who denied access can read that. `access_denied` is no fault.',
			at: /new Error\(error\)/
		},
		{
			title: 'Expects the code',
			text: 'A response without a code and without an error is not a sign-in.',
			at: /!code/
		}
	],
	writesAt: /^function checkResponse/,
	async use(run) {
		run.step('sign_in');
		const first = await run.call('signIn', signedIn);
		if (first.error !== undefined) return;
		// Some clients compare only the start.
		const similar = (response: URLSearchParams) =>
			response.set('state', `${(response.get('state') ?? '').slice(0, 20)}-of-another-sign-in`);
		await signInWithForeignCode(run, 'wrong_state', 'wrong_state', similar, anError);
		await signInWithForeignCode(run, 'no_state', 'no_state', (response) => response.delete('state'), anError);
		await signInDenied(run, anError);
		run.step('again');
		await run.call('signIn', signedIn);
		await signInWith(run, 'extra', 'extra', (response) => response.set('session_state', 'a1b2c3'), {
			expected: signedIn
		});
	},
	result: 'Right responses sign in, all others throw an error',
	conditions: [
		signsIn('A right response is accepted'),
		rejects({ id: 'wrong_state', title: 'A wrong state is rejected' }, 'wrong_state', {
			title: 'a state of another sign-in',
			text: 'The response began like yours, and had the code of player-three. Your client sent this code.'
		}),
		rejects({ id: 'no_state', title: 'A missing state is rejected', needs: 'wrong_state' }, 'no_state', {
			title: 'no state is taken for a right one',
			text: 'The response had the code of player-three and no state. Your client sent the code.'
		}),
		rejectsDenial,
		{
			id: 'again',
			title: 'The next right response is accepted',
			needs: 'signs_in',
			judge(evidence) {
				const sent = kindIn(evidence, 'again', 'exchange');
				if (sent.some(gotToken)) return metBy(sent);
				if (evidence.step('again')?.isOver !== true) return 'open';
				return failedBy(
					evidence.step('again')?.facts.slice(-1) ?? [],
					'closed for everyone',
					'After responses that it rejected, your client signed in no user with a right one.'
				);
			}
		},
		{
			id: 'extra',
			title: 'Unknown parameters are ignored',
			needs: 'again',
			judge(evidence) {
				const sent = kindIn(evidence, 'extra', 'exchange');
				if (sent.some(gotToken)) return metBy(sent);
				if (evidence.step('extra')?.isOver !== true) return 'open';
				return failedBy(
					evidence.step('extra')?.facts.slice(-1) ?? [],
					'one parameter too many',
					'State and code were right. The response differed by one more parameter, and no token request led to a token.'
				);
			}
		}
	],
	rules: ['callback.foreign_code', 'callback.state_required', 'callback.denial', 'callback.extra_parameters'],
	nearMisses: nearMissesOf(solution, [
		[
			'the state is not compared',
			'wrong_state',
			[`${compares}\n    throw new Error('This response belongs to another sign-in.');\n`, '']
		],
		[
			'the start of the state is compared',
			'wrong_state',
			[compares, "if (response.get('state')?.slice(0, 8) !== state.slice(0, 8))"]
		],
		[
			'a state is compared if there is one',
			'no_state',
			[compares, "if (response.has('state') && response.get('state') !== state)"]
		],
		[
			'the error is not read',
			'denial',
			["  const error = response.get('error');\n  if (error) throw new Error(error);\n", ''],
			["  if (!code) throw new Error('The response has no code.');\n  return code;", '  return code!;']
		],
		[
			'a response must have two parameters',
			'extra',
			[compares, `if (response.size !== 2 || response.get('state') !== state)`]
		]
	]),
	hints: [
		'`callback.searchParams` holds the parameters of the response. `get()` returns `null` for one that is missing.',
		"Compare first: throw an error if `response.get('state') !== state`. A missing state is `null`, so it differs too.",
		"Then throw an error if `response.get('error')` is there, or if `response.get('code')` is not. Return the code."
	]
};
