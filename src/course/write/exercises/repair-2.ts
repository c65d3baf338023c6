import type { ExerciseCode } from '../exercise.ts';
import { emptyState, noState, rejects, signInDenied, signInWithForeignCode, similarStates } from '../shared/attacks.ts';
import { condition, gotToken, isRejection, kindIn, metBy } from '../shared/judgments.ts';
import { anError, signedIn } from '../shared/results.ts';

export const code: ExerciseCode = {
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		await signInWithForeignCode(run, 'wrong_state', 'wrong_state', similarStates, anError);
		await signInWithForeignCode(run, 'no_state', 'no_state', [noState], anError);
		await signInWithForeignCode(run, 'empty_state', 'no_state', [emptyState], anError);
		await signInDenied(run, anError);
		run.step('again');
		await run.call('signIn', signedIn);
		run.step('over');
	},
	conditions: {
		wrong_state: rejects('wrong_state'),
		no_state: rejects('no_state'),
		empty_state: rejects('empty_state'),
		again: condition(['rejected', 'closed'], (evidence, fail) => {
			const sent = kindIn(evidence, 'again', 'exchange', 'other_token_request');
			if (sent.some(gotToken)) return metBy(sent);
			if (evidence.step('over') === undefined) return 'open';
			if (sent.some(isRejection)) return fail('rejected', sent);
			return fail('closed', kindIn(evidence, 'again', 'authorization'));
		})
	}
};
