import type { Walk } from '../engine/learner.ts';

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.press('Start load test');
	await learner.shown('no_response');
	await learner.press('Check now');
	await learner.shown('status_read');
	await learner.open('support');
	await learner.enter('What happened?', 'A load test did not stop at the limit.');
	await learner.enter('What did you change?', 'It reads the headers and waits for the reset.');
	await learner.press('File ticket');
	await learner.press('Unblock');
	await learner.shown('unblocked');
	await learner.open('viewer');
	// The viewer checks by itself too.
	await learner.pressIfShown('Check now');
	await learner.enter('Character name', 'Mara Vell');
	await learner.press('Look up');
};
