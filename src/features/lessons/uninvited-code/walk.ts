import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.turn('Check state', false);
	await learner.press('Create link');
	const attacked = await learner.pressForTab('Open the link as the victim');
	await learner.shown('uninvited_exchanged');
	await attacked.close();
	await learner.open('viewer');
	await learner.enter('Character name', '100% Orc');
	await learner.press('Look up');
	await learner.shown('attacker_read');
	await learner.open('attack');
	await learner.turn('Check state', true);
	await learner.press('Create link');
	const protectedTab = await learner.pressForTab('Open the link as the victim');
	await protectedTab.see('Back to sign-in');
	await protectedTab.close();
	await learner.open('viewer');
	await learner.press('Add user');
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
};
