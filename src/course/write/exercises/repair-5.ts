import type { ExerciseCode } from '../exercise.ts';
import { signOutAndRead } from '../shared/conditions.ts';
import { condition, gotToken, kindIn, metBy, signsIn } from '../shared/judgments.ts';
import { character, signedIn } from '../shared/results.ts';

const name = 'Mara Vell';

export const code: ExerciseCode = {
	async use(run) {
		const read = () => run.call('getCharacter', character(name), name);
		run.step('first');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		await read();
		run.step('sign_in');
		await run.call('signIn', signedIn);
		await read();
		await signOutAndRead(run);
		run.step('again');
		await run.call('signIn', signedIn);
		await read();
		run.step('over');
	},
	conditions: {
		signs_in: signsIn('first'),
		second: condition(['not_used', 'none'], (evidence, fail) => {
			const exchanges = kindIn(evidence, 'sign_in', 'exchange');
			const calls = kindIn(evidence, 'sign_in', 'call');
			if (evidence.step('sign_out') === undefined) return 'open';
			if (exchanges.some(gotToken)) return calls.some(({ ok }) => ok) ? metBy(exchanges) : fail('not_used', calls);
			return fail('none', [...kindIn(evidence, 'first', 'exchange'), ...exchanges, ...calls].slice(-1));
		}),
		again: condition(['none'], (evidence, fail) => {
			const calls = kindIn(evidence, 'again', 'call');
			if (calls.some(({ ok }) => ok)) return metBy(calls);
			if (evidence.step('over') === undefined) return 'open';
			return fail('none', kindIn(evidence, 'again', 'authorization', 'exchange', 'call').slice(-1));
		})
	}
};
