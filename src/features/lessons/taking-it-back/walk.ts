import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	const signIn = async () => {
		await learner.choose('Access', 'Offline');
		await learner.press('Sign in with Tollgate');
		await learner.signIn('player-one');
	};
	await signIn();
	const copy = await learner.copy('refresh token');
	await learner.open('tokens');
	await learner.press('Expire access token 1');
	await learner.see('Expired access token 1');
	await learner.open('request');
	await learner.choose('Request', 'Refresh');
	await learner.enter('refresh_token', copy);
	await learner.press('Send request');
	await learner.shown('copy_refreshed');
	await learner.open('viewer');
	await learner.press('Sign out');
	await learner.shown('revoked_by_application');
	await learner.open('request');
	await learner.enter('refresh_token', copy);
	await learner.press('Send request');
	await learner.shown('copy_rejected');
	await learner.open('viewer');
	await signIn();
	const account = await learner.visit(`${learner.baseUrl}/account`);
	await account.press('Revoke access…');
	await account.press('Revoke access');
	await learner.shown('revoked_by_user');
	await account.close();
	await learner.enter('Character name', 'Mara Vell');
	await learner.press('Look up');
};
