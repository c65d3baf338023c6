import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	for (const condition of ['first_offline_exchanged', 'second_offline_exchanged']) {
		await learner.press('Add user');
		await learner.choose('Access', 'Offline');
		await learner.press('Sign in with Tollgate');
		await learner.signIn('player-one');
		await learner.shown(condition);
	}
	await learner.open('clock');
	await learner.press('+1 h');
	await learner.see('1 hour ahead');
	await learner.press('+1 h');
	await learner.see('2 hours ahead');
	await learner.open('viewer');
	await learner.press('User 2');
	await learner.press('Refresh now');
};
