import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.choose('Access', 'Offline');
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.press('Load 20 at once');
	await learner.see('canceled');
	await learner.open('tokens');
	await learner.press('Revoke access token 1');
	await learner.open('viewer');
	await learner.press('Load 20 at once');
};
