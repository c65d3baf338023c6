import { passed } from '#evidence/exchanges.ts';
import { queryParameter, valueOf, type Facts } from '#evidence/facts.ts';
import type { ExerciseCode } from '../exercise.ts';
import { emptyState, noState, rejects, signInWithForeignCode, similarStates } from '../shared/attacks.ts';
import {
	authorizations,
	condition,
	first,
	gotToken,
	inStep,
	judged,
	kindIn,
	metBy,
	rejectedBy,
	rejections
} from '../shared/judgments.ts';
import { anError, character, signedIn } from '../shared/results.ts';

/** Sign-ins further apart than this are those of two browsers, for the rules. In milliseconds. */
const otherBrowser = 11 * 60_000;
const tokenRequests = inStep('sign_in', 'exchange', 'other_token_request');
const valuesOf = ({ entry }: Facts) => [valueOf(entry, 'state')?.id, queryParameter(entry, 'code_challenge')];

export const code: ExerciseCode = {
	preset: { settings: { dialect: 'standard' } },
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		run.step('read');
		await run.call('getCharacter', character('Half/Life'), 'Half/Life');
		const states = [...similarStates, noState, emptyState];
		await signInWithForeignCode(run, 'wrong_state', 'wrong_state', states, anError);
		run.step('again');
		run.clock.advance(otherBrowser);
		await run.call('signIn', signedIn);
		run.step('third');
		await run.call('signIn', signedIn);
	},
	conditions: {
		request: judged(
			authorizations,
			{
				no_challenge: rejectedBy('auth.code_challenge_is_s256'),
				no_state: ({ entry, ok }) => ok && valueOf(entry, 'state') === undefined,
				...rejections
			},
			({ ok }) => ok
		),
		token: first(
			['not_sent'],
			(evidence, fail) => {
				if (tokenRequests(evidence).length > 0) return undefined;
				const [request] = kindIn(evidence, 'sign_in', 'authorization');
				const isOver = evidence.step('sign_in')?.isOver === true;
				return isOver && request !== undefined ? fail('not_sent', [request]) : 'open';
			},
			judged(
				tokenRequests,
				{
					not_authenticated: rejectedBy('token.client_authenticated'),
					other_verifier: rejectedBy('token.code_verifier_matches'),
					other_redirect_uri: rejectedBy('token.redirect_uri_matches'),
					...rejections
				},
				gotToken
			)
		),
		state: rejects('wrong_state'),
		fresh: condition(['same'], (evidence, fail) => {
			if (evidence.step('third')?.isOver !== true) return 'open';
			// The last two are so close that no value is too old to be used again.
			const requests = ['sign_in', 'again', 'third'].flatMap((step) => kindIn(evidence, step, 'authorization'));
			const values = requests.map(valuesOf);
			const hasRepeats = [0, 1].some((at) => new Set(values.map((one) => one[at])).size < values.length);
			if (hasRepeats) return fail('same', requests);
			return requests.length < 3 ? 'open' : metBy(requests);
		}),
		read: judged(inStep('read', 'call'), rejections, ({ entry, ok }) => ok && passed(entry, 'access_token.known'))
	}
};
