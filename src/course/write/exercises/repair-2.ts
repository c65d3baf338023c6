import type { ProbeId } from '#api/exam.ts';
import { randomText } from '#client/oauth/authorization-request.ts';
import type { ExerciseCode } from '../exercise.ts';
import { rejects, signInDenied, signInWithForeignCode } from '../shared/attacks.ts';
import { condition, gotToken, isRejection, kindIn, metBy } from '../shared/judgments.ts';
import { anError, signedIn } from '../shared/results.ts';

export const code: ExerciseCode = {
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
