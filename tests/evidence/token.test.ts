import type { Log } from './log.ts';
import { type Case } from './log.ts';
import { testCases } from './test-cases.ts';

const times = (count: number, run: (at: number) => void): void =>
	Array.from({ length: count }, (_, at) => at + 1).forEach(run);
const noToken = { status: 400, failed: 'token.refresh_token_present' };
const dead = { status: 400, failed: 'token.refresh_token_known' };

/** Parallel calls with an access token that has ended, and refreshes after them. */
function parallel(log: Log, calls: number, refreshes: number, wait = 100): void {
	const flow = log.session();
	times(calls, () => log.deadCall(flow, 10));
	times(refreshes, (at) => log.refresh(flow, ` ${at}`, {}, wait));
}

/** Refreshes of one flow. @param wait milliseconds before each */
function refreshes(log: Log, count: number, wait: number, calls = 1): void {
	const flow = log.session();
	times(count, (at) => {
		log.refresh(flow, ` ${at}`, {}, wait);
		times(calls, () => log.call(flow, {}, 10, ` ${at}`));
	});
}

const cases: Case[] = [
	[
		'token.refresh_when_due',
		'failed',
		'a token is replaced after each call',
		(log) => refreshes(log, 4, 1000),
		{ text: '4 refreshes came too early.' }
	],
	[
		'token.refresh_when_due',
		'passed',
		'tokens are replaced at the end of their life',
		(log) => refreshes(log, 5, 3_800_000)
	],
	[
		'token.refresh_when_due',
		'passed',
		'tokens are used before they are replaced',
		(log) => refreshes(log, 5, 400_000, 2)
	],
	[
		'token.refresh_when_due',
		'failed',
		'tokens are replaced at the start of their life',
		(log) => refreshes(log, 4, 1000, 3),
		{ text: '4 refreshes came too early.' }
	],
	['token.refresh_when_due', 'not_shown', 'there are three early ones', (log) => refreshes(log, 3, 1000)],
	[
		'token.refresh_when_due',
		'passed',
		'a 401 comes before each',
		(log) => {
			const flow = log.session();
			times(5, (at) => {
				log.deadCall(flow);
				log.refresh(flow, ` ${at}`);
			});
		}
	],
	[
		'token.refresh_when_due',
		'not_shown',
		'there is no refresh',
		(log) => {
			log.session();
		}
	],
	['token.one_refresh', 'failed', 'three follow', (log) => parallel(log, 4, 3), { text: '3 refreshes ran at once.' }],
	[
		'token.one_refresh',
		'failed',
		'three follow in a slow probe',
		(log) => log.probe('early_end', {}, () => parallel(log, 5, 3, 20_000))
	],
	['token.one_refresh', 'advice', 'two follow', (log) => parallel(log, 4, 2), { text: '2 refreshes ran at once.' }],
	['token.one_refresh', 'passed', 'one follows', (log) => parallel(log, 4, 1)],
	[
		'token.one_refresh',
		'passed',
		'the new token ends, too, and a second refresh follows',
		(log) => {
			parallel(log, 4, 1);
			log.call('flow 1', { status: 401, failed: 'access_token.known' }, 100, ' 1');
			log.refresh('flow 1', ' 8', {}, 20);
		}
	],
	[
		'token.one_refresh',
		'passed',
		'others follow later',
		(log) => {
			parallel(log, 4, 1);
			log.refresh('flow 1', ' 8', {}, 20_000);
			log.refresh('flow 1', ' 9');
		}
	],
	[
		'token.one_refresh',
		'failed',
		'a later call has the old token, and a second refresh follows',
		(log) =>
			log.probe('early_end', {}, () =>
				later(log, (flow) => [log.deadCall(flow, 600), log.refresh(flow, ' 2', {}, 20)])
			),
		{ text: 'A refresh worked, and a later call had the old token again.' }
	],
	[
		'token.one_refresh',
		'passed',
		'another worker has the old token, and loads the new one',
		(log) =>
			log.probe('early_end', {}, () => later(log, (flow) => [log.deadCall(flow, 600), log.call(flow, {}, 20, ' 1')]))
	],
	[
		'token.one_refresh',
		'not_shown',
		'the token of an earlier refresh ends',
		(log) =>
			log.probe('early_end', {}, () => {
				const flow = log.session();
				log.refresh(flow, ' 1');
				log.call(flow, { status: 401, failed: 'access_token.known' }, 600, ' 1');
				log.refresh(flow, ' 2', {}, 20);
			})
	],
	['token.one_refresh', 'not_shown', 'there are three calls', (log) => parallel(log, 3, 3)],
	['token.one_refresh', 'not_shown', 'none follows', (log) => parallel(log, 5, 0)],
	[
		'token.keep_refresh_token',
		'failed',
		'a refresh has none',
		(log) => {
			const flow = log.session();
			log.refresh(flow, ' 1');
			log.refresh(flow, ' 2', noToken);
		}
	],
	['token.keep_refresh_token', 'passed', 'two refreshes have the same', (log) => refreshes(log, 2, 1000)],
	['token.keep_refresh_token', 'not_shown', 'there is one refresh', (log) => refreshes(log, 1, 1000)],
	[
		'token.stop_after_refresh',
		'failed',
		'four refreshes follow one call',
		(log) => {
			const flow = log.session();
			log.probe('always_401', { uses: 1 }, () =>
				times(4, (at) => {
					log.call(flow, { status: 401 });
					log.refresh(flow, ` ${at}`);
				})
			);
		}
	],
	[
		'token.stop_after_refresh',
		'passed',
		'a queue repeats the job twice',
		(log) => {
			const flow = log.session();
			log.probe('always_401', { uses: 1 }, () => times(3, (at) => log.refresh(flow, ` ${at}`)));
		}
	],
	[
		'token.stop_after_refresh',
		'failed',
		'a call is repeated without a refresh',
		(log) => {
			const flow = log.session();
			log.probe('always_401', { uses: 2 }, () => times(17, () => log.deadCall(flow)));
		},
		{ text: '17 calls got 401 in 2 uses.' }
	],
	[
		'token.stop_after_refresh',
		'not_shown',
		'no refresh follows',
		(log) => {
			const flow = log.session();
			log.probe('always_401', { uses: 1 }, () => log.deadCall(flow));
		}
	],
	[
		'token.forget_dead',
		'failed',
		'the token is sent four times',
		(log) => {
			const flow = log.session();
			log.probe('user_revoked', {}, () => times(4, (at) => log.refresh(flow, ` ${at}`, dead)));
		},
		{ text: 'A revoked token was sent 4 times.' }
	],
	[
		'token.forget_dead',
		'passed',
		'it is sent three times',
		(log) => {
			const flow = log.session();
			log.probe('user_revoked', {}, () => times(3, (at) => log.refresh(flow, ` ${at}`, dead)));
		}
	],
	[
		'token.forget_dead',
		'passed',
		'a sign-in comes between',
		(log) => {
			const flow = log.session();
			log.probe('user_revoked', {}, () =>
				times(6, (at) => {
					log.refresh(flow, ` ${at}`, dead);
					if (at === 3) log.signIn();
				})
			);
		}
	],
	[
		'token.forget_dead',
		'not_shown',
		'it is not sent',
		(log) => {
			log.session();
			log.probe('user_revoked');
		}
	],
	[
		'token.scope_not_widened',
		'failed',
		'the scope is wider',
		(log) => {
			const flow = log.session();
			log.refresh(flow, ' 1', { status: 400, failed: 'token.scope_not_widened', cause: 'not_granted' });
		}
	],
	['token.scope_not_widened', 'passed', 'the refresh works', (log) => refreshes(log, 1, 1000)],
	[
		'token.scope_not_widened',
		'not_shown',
		'there is no refresh',
		(log) => {
			log.session();
		}
	]
];

/** Parallel calls that share one refresh, and a later call. */
function later(log: Log, calls: (flow: string) => void): void {
	parallel(log, 4, 1);
	calls('flow 1');
}

testCases(cases);
