import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.choose('Access', 'Offline');
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	const token = await learner.copy('access token');
	const address = `${learner.baseUrl}/ws/v2.0/character/Mara%20Vell?access_token=${token}`;
	const leaking = await learner.visit(address);
	await leaking.see('Mara Vell');
	await leaking.close();
	await learner.choose('Send token in', 'Header');
	await learner.enter('Character name', 'Half/Life');
	await learner.press('Look up');
	await learner.shown('token_in_header');
	await learner.press('Sign out');
	await learner.see('Sign in with Tollgate');
	const again = await learner.visit(address);
	await again.see('invalid_token');
	await again.close();
};
