import type { ExerciseCode } from '../exercise.ts';
import { revocationsIn, signOutAndRead } from '../shared/conditions.ts';
import { condition, kindIn, metBy, withoutSecret } from '../shared/judgments.ts';
import { character, noCharacter, signedIn, signedOut } from '../shared/results.ts';

const name = 'Mara Vell';

export const code: ExerciseCode = {
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		await run.call('getCharacter', character(name), name);
		await signOutAndRead(run);
		run.step('again');
		await run.call('signIn', signedIn);
		run.step('no_response');
		await run.api.request('POST /control/faults', { body: { kind: 'drop', endpoint: 'revoke', times: null } });
		await run.call('signOut', signedOut({ mayThrow: true }));
		run.step('after_no_response');
		await run.api.request('DELETE /control/faults');
		await run.call('getCharacter', noCharacter(name), name);
	},
	conditions: {
		no_secret: withoutSecret(revocationsIn('sign_out'), ({ ok }) => ok),
		without_response: condition(['error_first', 'not_sent'], (evidence, fail) => {
			if (evidence.step('after_no_response')?.isOver !== true) return 'open';
			const calls = kindIn(evidence, 'after_no_response', 'call', 'refresh');
			if (calls.length > 0) return fail('error_first', calls);
			const sent = revocationsIn('no_response')(evidence);
			return sent.length > 0 ? metBy(sent) : fail('not_sent', kindIn(evidence, 'again', 'exchange').slice(-1));
		})
	}
};
