import type { Case, Log } from './log.ts';
import { testCases } from './test-cases.ts';

const times = (count: number, run: (at: number) => void): void =>
	Array.from({ length: count }, (_, at) => at + 1).forEach(run);
const unavailable = { status: 503 };

/** Refreshes with one token in the probe that loses responses. */
function lostRefreshes(log: Log, count: number, response: { status?: null } = { status: null }): void {
	const flow = log.session();
	log.probe('lost_refresh', { uses: 3, waited: { seconds: 75, status: 401 } }, () =>
		times(count, () => log.refresh(flow, ' 1', response))
	);
}

/** The exam waited for another refresh, and the page of the client responded with a status. */
const gaveUp = (status: number) => ({ uses: 5, waited: { seconds: 75, status } });

const cases: readonly Case[] = [
	[
		'token.keep_on_failure',
		'failed',
		'no refresh follows the failure',
		(log) => {
			const flow = log.session();
			log.probe('refresh_fails', gaveUp(401), () => log.refresh(flow, ' 1', unavailable));
		}
	],
	[
		'token.keep_on_failure',
		'failed',
		'no refresh follows, and the page shows no error',
		(log) => {
			const flow = log.session();
			log.probe('refresh_fails', gaveUp(200), () => log.refresh(flow, ' 1', unavailable));
		},
		{ text: 'A refresh failed. No other refresh followed in 75 seconds.' }
	],
	[
		'token.keep_on_failure',
		'not_shown',
		'the page responds with 503 all the time, so the client may wait',
		(log) => {
			const flow = log.session();
			log.probe('refresh_fails', gaveUp(503), () => log.refresh(flow, ' 1', unavailable));
		},
		{
			text: 'Not shown. A refresh failed. No other refresh followed in 75 seconds. The page of your client responded with 503, so it may still wait.'
		}
	],
	[
		'token.refresh_at_expiry',
		'not_shown',
		'the client may still wait after an earlier failure',
		(log) => {
			const flow = log.session();
			log.probe('refresh_fails', gaveUp(503), () => log.refresh(flow, ' 1', unavailable));
			log.probe('expired', { uses: 1 }, () => log.deadCall(flow));
		}
	],
	[
		'token.refresh_at_expiry',
		'failed',
		'no refresh follows, and none had failed before',
		(log) => {
			const flow = log.session();
			log.probe('expired', { uses: 1 }, () => log.deadCall(flow));
		}
	],
	[
		'token.keep_on_failure',
		'not_shown',
		'the exam did not wait for the client',
		(log) => {
			const flow = log.session();
			log.probe('refresh_fails', { uses: 3 }, () => log.refresh(flow, ' 1', unavailable));
		}
	],
	[
		'token.keep_on_failure',
		'passed',
		'the first step gets a refresh, and the second one another',
		(log) => {
			const flow = log.session();
			log.probe('refresh_fails', { uses: 1 }, () => log.refresh(flow, ' 1', unavailable));
			log.probe('refresh_fails', { uses: 2 }, () => log.refresh(flow, ' 2'));
		}
	],
	[
		'token.keep_on_failure',
		'passed',
		'another refresh follows',
		(log) => {
			const flow = log.session();
			log.probe('refresh_fails', { uses: 3 }, () => {
				log.refresh(flow, ' 1', { status: null });
				log.refresh(flow, ' 2');
			});
		}
	],
	[
		'token.keep_on_failure',
		'not_shown',
		'no refresh fails',
		(log) => {
			const flow = log.session();
			log.probe('refresh_fails', { uses: 3 }, () => log.refresh(flow, ' 1'));
		}
	],
	[
		'token.lost_refresh',
		'failed',
		'no refresh follows the lost one',
		(log) => lostRefreshes(log, 1),
		{
			text: 'The response of a refresh was lost. No other refresh followed in 75 seconds, and the page of your client responded with 401.'
		}
	],
	[
		'token.lost_refresh',
		'not_shown',
		'any failure ends the sign-in',
		(log) => {
			const flow = log.session();
			log.probe('refresh_fails', gaveUp(401), () => log.refresh(flow, ' 1', unavailable));
			lostRefreshes(log, 1);
		}
	],
	[
		'token.lost_refresh',
		'failed',
		'thirteen get no response',
		(log) => lostRefreshes(log, 13),
		{ text: '13 refreshes got no response, one after another.' }
	],
	['token.lost_refresh', 'passed', 'another one follows', (log) => lostRefreshes(log, 2)],
	['token.lost_refresh', 'not_shown', 'none is lost', (log) => lostRefreshes(log, 1, {})]
];

testCases(cases);
