import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.enter('Character name', 'Mara Vell');
	await learner.press('Look up');
};
