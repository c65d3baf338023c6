import type { Case, Log } from './log.ts';
import { testCases } from './test-cases.ts';

/** Another user signs in in a browser, and the client refreshes. @param username whose refresh token it sends */
function otherUser(log: Log, username: string): void {
	const flow = log.signIn();
	Object.assign(log.entries.at(-1) ?? {}, { username });
	log.exchange(flow);
	log.probe('other_user', { otherUser: 'second' }, () => log.refresh(flow, ' 1'));
}

/** Two sign-ins that the exam begins in one browser. @param both whether both lead to tokens */
function twice(log: Log, signIn: Parameters<Log['signIn']>[0], both: boolean): void {
	log.probe('other_user', { browser: 'a' }, () => log.session(signIn));
	log.probe('other_user', { browser: 'a' }, () => (both ? log.session(signIn) : log.signIn(signIn)));
}

const cases: Case[] = [
	[
		'request.challenge_fresh',
		'failed',
		'two sign-ins of a browser have one challenge, and both led to tokens',
		(log) => twice(log, { challenge: 'a' }, true)
	],
	[
		'request.challenge_fresh',
		'passed',
		'only one of two sign-ins with one challenge led to tokens',
		(log) => twice(log, { challenge: 'a' }, false)
	],
	[
		'request.state_fresh',
		'failed',
		'two sign-ins of a browser have one state, and both led to tokens',
		(log) => twice(log, { state: 'a' }, true)
	],
	[
		'request.nonce_fresh',
		'failed',
		'two sign-ins of a browser have one nonce, and both led to tokens',
		(log) => twice(log, { scope: 'openid' }, true)
	],
	[
		'request.nonce_fresh',
		'advice',
		'there is a code challenge, too',
		(log) => twice(log, { scope: 'openid', challenge: 'a' }, true)
	],
	[
		'request.nonce_fresh',
		'passed',
		'each has a separate one',
		(log) => {
			log.session({ scope: 'openid', nonce: 'a' });
			log.session({ scope: 'openid', nonce: 'b' });
		}
	],
	['request.nonce_fresh', 'not_shown', 'there is no nonce', (log) => twice(log, {}, true)],
	['token.own_user', 'advice', 'a refresh has the token of the user before', (log) => otherUser(log, 'first')],
	['token.own_user', 'passed', 'a refresh has the token of the latest user', (log) => otherUser(log, 'second')],
	['token.own_user', 'not_shown', 'no refresh follows', (log) => log.probe('other_user', { otherUser: 'second' })]
];

testCases(cases);
