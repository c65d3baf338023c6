import type { ConditionCode, ExerciseCode } from '../exercise.ts';
import {
	emptyState,
	noState,
	rejects,
	signInDenied,
	signInWith,
	signInWithForeignCode,
	similarStates
} from '../shared/attacks.ts';
import { condition, gotToken, kindIn, metBy } from '../shared/judgments.ts';
import { anError, signedIn } from '../shared/results.ts';

/** A right response leads to a token. @param mistake where it does not */
const accepts = (step: string, mistake: string): ConditionCode =>
	condition([mistake], (evidence, fail) => {
		const sent = kindIn(evidence, step, 'exchange');
		if (sent.some(gotToken)) return metBy(sent);
		const recorded = evidence.step(step);
		return recorded?.isOver === true ? fail(mistake, recorded.facts.slice(-1)) : 'open';
	});

export const code: ExerciseCode = {
	async use(run) {
		run.step('sign_in');
		const first = await run.call('signIn', signedIn);
		if (first.error !== undefined) return;
		await signInWithForeignCode(run, 'wrong_state', 'wrong_state', similarStates, anError);
		await signInWithForeignCode(run, 'no_state', 'no_state', [noState, emptyState], anError);
		await signInDenied(run, anError);
		run.step('again');
		await run.call('signIn', signedIn);
		const withMore = (response: URLSearchParams) => response.set('session_state', 'a1b2c3');
		await signInWith(run, 'extra', 'extra', [withMore], { expected: signedIn });
	},
	conditions: {
		wrong_state: rejects('wrong_state'),
		no_state: rejects('no_state'),
		again: accepts('again', 'closed'),
		extra: accepts('extra', 'rejected')
	}
};
