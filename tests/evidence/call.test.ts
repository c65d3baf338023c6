import type { Mark } from '#api/exam.ts';
import type { Log } from './log.ts';
import { type Case } from './log.ts';
import { testCases } from './test-cases.ts';

/** A sign-in, and a call like this. */
function call(log: Log, part: Parameters<Log['call']>[1]): void {
	const flow = log.signIn();
	log.exchange(flow);
	log.call(flow, part);
}

const path = (name: string) => `/ws/v2.0/character/${name}`;
const notFound = { status: 404, failed: 'character.exists' };
const forbidden = { status: 403, failed: 'character.scope_granted' };
const inUrl = (log: Log, mode: string) => ({
	query: { access_token: log.secret('access token', 'token') },
	requestHeaders: { 'Sec-Fetch-Mode': mode }
});

const cases: Case[] = [
	[
		'call.header',
		'failed',
		'the URL has it',
		(log) => call(log, inUrl(log, 'cors')),
		{ text: '1 call had the token in the URL.' }
	],
	[
		'call.header',
		'failed',
		'the URL has it under another name',
		(log) => call(log, { query: { trace: log.secret('access token', 'token') } })
	],
	['call.header', 'passed', 'the header has it', (log) => call(log, {})],
	['call.header', 'not_shown', 'a user opened the URL', (log) => call(log, inUrl(log, 'navigate'))],
	[
		'call.name_encoded',
		'failed',
		'it is encoded twice',
		(log) => call(log, { ...notFound, path: path('Mara%2520Vell') })
	],
	[
		'call.name_encoded',
		'failed',
		'a blank is a plus sign',
		(log) => call(log, { ...notFound, path: path('Mara+Vell') })
	],
	[
		'call.name_encoded',
		'failed',
		'it is not UTF-8',
		(log) => call(log, { status: 400, failed: 'character.name_valid', path: path('%9A') })
	],
	['call.name_encoded', 'passed', 'it is encoded once', (log) => call(log, { path: path('100%25%20Orc') })],
	['call.name_encoded', 'not_shown', 'there is no special character', (log) => call(log, { path: path('Mara') })],
	[
		'call.name_encoded',
		'not_shown',
		'the name is unknown',
		(log) => call(log, { ...notFound, path: path('No%20One') })
	],
	[
		'call.missing_permission',
		'failed',
		'two refreshes follow',
		(log) => {
			const flow = log.session();
			log.probe('forbidden', {}, () => {
				log.call(flow, forbidden);
				log.refresh(flow, ' 1');
				log.refresh(flow, ' 2');
			});
		},
		{ text: '2 refreshes followed a 403.' }
	],
	[
		'call.missing_permission',
		'not_shown',
		'a refresh follows the only one',
		(log) => {
			const flow = log.session();
			log.probe('forbidden', {}, () => {
				log.call(flow, forbidden);
				log.refresh(flow, ' 1');
				log.call(flow, forbidden);
			});
		},
		{ text: 'Not shown. A refresh followed a 403. Your client sent too few calls to show whether one follows each.' }
	],
	[
		'call.missing_permission',
		'passed',
		'a refresh follows one of three',
		(log) => {
			const flow = log.session();
			log.probe('forbidden', {}, () => {
				log.call(flow, forbidden);
				log.refresh(flow, ' 1');
				log.call(flow, forbidden);
				log.call(flow, forbidden);
			});
		}
	],
	[
		'call.missing_permission',
		'failed',
		'two sign-ins with the same scope follow',
		(log) => {
			const flow = log.session();
			log.probe('forbidden', {}, () => {
				log.call(flow, forbidden);
				log.signIn();
				log.signIn();
			});
		},
		{ text: '2 sign-ins followed a 403.' }
	],
	[
		'call.missing_permission',
		'not_shown',
		'the client refreshes before each call',
		(log) => {
			const flow = log.session();
			for (let count = 1; count <= 4; count++) {
				log.refresh(flow, ` ${count}`);
				log.call(flow, {}, 1000, ` ${count}`);
			}
			log.probe('forbidden', {}, () => {
				for (let count = 5; count <= 8; count++) {
					log.refresh(flow, ` ${count}`, {}, 100);
					log.call(flow, { ...forbidden, path: path(`Unknown${count}`) }, 3000, ` ${count}`);
				}
			});
		}
	],
	[
		'call.missing_permission',
		'passed',
		'the client asks for more',
		(log) => {
			const flow = log.session();
			log.probe('forbidden', {}, () => {
				log.call(flow, forbidden);
				log.signIn({ scope: 'character_full' });
			});
		}
	],
	[
		'call.missing_permission',
		'not_shown',
		'no call was forbidden',
		(log) => {
			log.session();
			log.probe('forbidden');
		}
	],
	[
		'call.right_credential',
		'failed',
		'a refresh token is sent',
		(log) => call(log, { status: 401, requestHeaders: { Authorization: log.secret('refresh token', 'other') } })
	],
	['call.right_credential', 'passed', 'an access token is sent', (log) => call(log, {})],
	[
		'call.right_credential',
		'not_shown',
		'the text undefined was a refresh token before',
		(log) =>
			call(log, {
				status: 401,
				failed: 'access_token.known',
				cause: 'literal_nothing',
				requestHeaders: { Authorization: log.secret('refresh token', 'other') }
			})
	],
	[
		'call.no_secret',
		'failed',
		'a call has it',
		(log) => call(log, { query: { client_secret: log.secret('client secret', 'secret') } })
	],
	['call.no_secret', 'passed', 'no call has it', (log) => call(log, {})],
	[
		'call.no_secret',
		'not_shown',
		'a header is hidden',
		(log) => call(log, { requestHeaders: { 'X-API-Key': '••••' } })
	],
	[
		'call.no_secret',
		'not_shown',
		'there is no call',
		(log) => {
			log.signIn();
		}
	],
	[
		'call.own_user',
		'failed',
		'a page of one user sends the token of another one',
		(log) => twoUsers(log, 'first'),
		{ text: '1 call of one user had the token of another one.', severity: 1 }
	],
	['call.own_user', 'passed', 'each user has a token', (log) => twoUsers(log, 'second')],
	['call.own_user', 'not_shown', 'one user calls', (log) => call(log, {})],
	[
		'call.own_user',
		'failed',
		'a refresh brings the token of the other of two users in two browsers',
		(log) => afterRefresh(log, {})
	],
	[
		'call.own_user',
		'not_shown',
		'a refresh brings the token of the user before in the same browser, which token.own_user names',
		(log) => afterRefresh(log, { otherUser: 'second' })
	],
	[
		'call.missing_permission',
		'failed',
		'a call is repeated at each 403',
		(log) => {
			const flow = log.session();
			log.probe('forbidden', { uses: 2 }, () => {
				for (let count = 0; count < 9; count++) log.call(flow, forbidden);
			});
		},
		{ text: '9 calls got 403 in 2 uses.' }
	],
	[
		'call.missing_permission',
		'failed',
		'a 403 ends the sign-in',
		(log) => {
			const flow = log.session();
			log.probe('forbidden', { uses: 4, isSignedOut: true }, () => log.call(flow, forbidden));
		},
		{ text: 'A 403 ended the sign-in.' }
	]
];

/** A user reads a name with a refreshed token of another one. */
function afterRefresh(log: Log, facts: Partial<Mark>): void {
	const flow = log.session();
	log.probe('other_user', { reads: [{ name: 'Half/Life', username: 'second' }], ...facts }, () => {
		log.refresh(flow, ' 1');
		log.call(flow, { path: path('Half%2FLife'), username: 'first' }, 1000, ' 1');
	});
}

/** The second of two users reads a name. @param username whose token the call has */
function twoUsers(log: Log, username: string): void {
	const flow = log.session();
	const reads = [
		{ name: 'Ä 1', username: 'first' },
		{ name: 'Half/Life', username: 'second' }
	];
	log.probe('other_user', { reads }, () => {
		log.call(flow, { path: path('%C3%84%201'), username: 'first' });
		log.call(flow, { path: path('Half%2FLife'), username });
	});
}

testCases(cases);
