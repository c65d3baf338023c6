import { checkOf, failedAt } from '#evidence/exchanges.ts';
import type { ExerciseCode } from '../exercise.ts';
import {
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
import { signedIn } from '../shared/results.ts';

/** How a code arrived, by the cause of the check. */
const changes = ['plus_as_space', 'decoded_twice', 'not_decoded', 'cut', 'changed'] as const;

export const code: ExerciseCode = {
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		run.step('hard', { probe: 'hard_code' });
		await run.api.request('POST /control/faults', { body: { endpoint: 'auth', kind: 'hard_code', times: null } });
		await run.call('signIn', signedIn);
		run.step('over');
	},
	conditions: {
		form: judged(
			inStep('hard', 'exchange', 'other_token_request'),
			{ no_form: rejectedBy('token.form_is_valid') },
			({ entry }) => !failedAt(entry, 'token.form_is_valid')
		),
		unchanged: first(
			changes,
			(evidence, fail) => {
				const sent = kindIn(evidence, 'hard', 'exchange');
				// Tries until one works are judged below.
				if (sent.some(gotToken)) return 'met';
				for (const one of sent) {
					const cause = checkOf(one.entry, 'token.code_known')?.cause;
					const change = changes.find((name) => name === cause);
					if (change !== undefined) return fail(change, [one]);
				}
				return undefined;
			},
			judged(inStep('hard', 'exchange'), rejections, gotToken)
		),
		once: condition(['again', 'tries'], (evidence, fail) => {
			const sent = kindIn(evidence, 'hard', 'exchange');
			if (sent.length > 1) return fail(sent[0]?.ok === true ? 'again' : 'tries', sent);
			return evidence.step('over') === undefined ? 'open' : metBy(sent);
		})
	}
};
