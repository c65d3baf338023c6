import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.press('Load 20 in turn');
	await learner.shown('calls_made');
	// While the calls run, another button is in its place.
	await learner.see('Start load test');
	await learner.press('Reload rate limits');
	await learner.shown('limits_requested');
	const line = '/ws/v2.0/character/';
	await learner.open('timeline');
	await learner.enter('Character requests left', await learner.readHeader(line, 'X-RateLimit-Remaining'));
	await learner.press('Enter Character requests left');
	const reset = Number(await learner.readHeader(line, 'X-RateLimit-Reset'));
	const date = Date.parse(await learner.readHeader(line, 'Date')) / 1000;
	await learner.enter('Seconds until the reset', String(reset - date));
	await learner.press('Enter Seconds until the reset');
};
