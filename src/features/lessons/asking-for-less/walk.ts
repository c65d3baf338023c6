import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.enter('scope', 'character_read');
	await learner.press('Open in this tab');
	await learner.signIn('player-one');
	await learner.see('Code received and filled in');
	await learner.choose('Request', 'Authorization');
	await learner.press('Open in this tab');
	await learner.shown('not_asked_again');
	await learner.see('Code received and filled in');
	await learner.choose('Request', 'Authorization');
	await learner.enter('scope', 'location_read');
	await learner.press('Open in this tab');
	await learner.signIn('player-one');
	await learner.see('Code received and filled in');
	await learner.choose('Request', 'Code exchange');
	await learner.press('Send request');
	await learner.shown('smaller_token');
	await learner.choose('Request', 'Authorization');
	await learner.turn('Send renew_previously_granted', true);
	await learner.press('Open in this tab');
	await learner.see('Code received and filled in');
	await learner.choose('Request', 'Code exchange');
	await learner.press('Send request');
};
