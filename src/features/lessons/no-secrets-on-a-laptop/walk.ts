import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	const popup = await learner.pressForTab('Open sign-in window');
	await popup.signIn('player-one');
	await learner.shown('code_copied');
	await learner.open('request');
	const getCode = async () => {
		await learner.choose('Request', 'Authorization');
		await learner.enter('redirect_uri', 'http://localhost:50123');
		await learner.press('Add PKCE');
		const page = await learner.pressForTab('Open in new tab');
		await page.signIn('player-one');
		const address = await page.address(/[?&]code=/);
		await page.close();
		await learner.choose('Request', 'Code exchange');
		await learner.enter('code', address);
	};
	await learner.select('Application', 'Pocket Companion');
	await getCode();
	await learner.press('Send request');
	await learner.shown('verifier_sent');
	await getCode();
	await learner.turn('Send code_verifier', false);
	await learner.press('Send request');
};
