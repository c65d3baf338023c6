import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.choose('Access', 'Offline');
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.open('leak');
	const leaking = await learner.pressForTab('Open character');
	await leaking.see('Mara Vell');
	const withImage = await learner.pressForTab('Open page with image');
	await withImage.see('Referer: ');
	await withImage.see('page-with-image?access_token=');
	await withImage.close();
	await learner.open('viewer');
	await learner.enter('Character name', 'Half/Life');
	await learner.press('Look up');
	await learner.shown('token_in_header');
	await learner.press('Sign out');
	await learner.see('Sign in with Tollgate');
	await leaking.reload();
	await leaking.see('invalid_token');
	await leaking.close();
};
