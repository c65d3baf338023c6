import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.choose('Request', 'Authorization');
	await learner.press('Open in this tab');
	await learner.signIn('player-one');
	for (const request of ['Code exchange', 'Character', 'Code exchange', 'Character']) {
		await learner.choose('Request', request);
		await learner.press('Send request');
		await learner.see('Checks');
	}
};
