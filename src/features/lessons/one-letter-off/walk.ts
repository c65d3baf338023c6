import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.choose('Request', 'Authorization');
	await learner.select('Application', 'Character Viewer');
	const registered = await learner.read('redirect_uri');
	const wrong = [
		`${registered}/`,
		registered.replace(/callback$/, 'Callback'),
		registered.startsWith('https:') ? registered.replace(/^https/, 'http') : registered.replace(/^http/, 'https')
	];
	for (const uri of wrong) {
		await learner.enter('redirect_uri', uri);
		const page = await learner.pressForTab('Open in new tab');
		await page.see('redirect_uri');
		await page.close();
	}
	await learner.select('Application', 'Pocket Companion');
	for (const port of ['4180', '4181']) {
		await learner.enter('redirect_uri', `http://localhost:${port}`);
		const page = await learner.pressForTab('Open in new tab');
		await page.see('player-one');
		await page.close();
	}
};
