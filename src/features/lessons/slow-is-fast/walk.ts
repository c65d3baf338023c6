import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	for (let times = 0; times < 2; times++) {
		await learner.press('Load 20 at once');
		await learner.see('canceled');
	}
	await learner.shown('limit_met');
	for (let times = 0; times < 2; times++) {
		await learner.press('Load 20 in turn');
		await learner.see('Load 20 in turn');
	}
};
