import type { Case, Log } from './log.ts';
import { testCases } from './test-cases.ts';

const cases: Case[] = [
	[
		'token.keep_at_second_sign_in',
		'failed',
		'no refresh follows',
		(log) => {
			refreshes(log, log.session());
			log.probe('second_sign_in', {}, () => secondSession(log));
		}
	],
	[
		'token.keep_at_second_sign_in',
		'not_shown',
		'the client never refreshes because of a 401',
		(log) => {
			const flow = log.session();
			log.refresh(flow, ' 1');
			log.probe('second_sign_in', {}, () => secondSession(log));
		}
	],
	[
		'token.keep_at_second_sign_in',
		'passed',
		'a refresh with the first token follows',
		(log) => {
			log.session();
			log.probe('second_sign_in', {}, () => {
				secondSession(log);
				log.refresh('flow 1', ' 2');
			});
		}
	],
	[
		'token.keep_at_second_sign_in',
		'failed',
		'only another user refreshes',
		(log) => {
			const other = log.session();
			refreshes(log, log.session());
			log.probe('second_sign_in', {}, () => {
				secondSession(log);
				log.refresh(other, ' 1');
			});
		}
	],
	[
		'token.keep_at_second_sign_in',
		'not_shown',
		'there was no refresh token',
		(log) => log.probe('second_sign_in', {}, () => secondSession(log))
	],
	[
		'token.keep_at_second_sign_in',
		'not_shown',
		'the exam had ended the grant',
		(log) => {
			const flow = log.session();
			log.probe('second_sign_in', { ended: [`grant of ${flow}`] }, () => secondSession(log));
		}
	],
	['token.refresh_at_expiry', 'failed', 'no refresh follows', (log) => ended(log, 'expired')],
	[
		'token.refresh_at_expiry',
		'passed',
		'a refresh follows',
		(log) => ended(log, 'expired', (flow) => log.refresh(flow, ' 1'))
	],
	[
		'token.refresh_at_expiry',
		'not_shown',
		'nothing is called',
		(log) => {
			log.session();
			log.probe('expired');
		}
	],
	[
		'token.refresh_at_expiry',
		'not_shown',
		'the client never had a refresh token',
		(log) => {
			const flow = log.signIn();
			log.exchange(flow, { credentials: [] });
			log.call(flow);
			log.probe('expired', {}, () => log.deadCall(flow));
		}
	],
	[
		'token.refresh_at_expiry',
		'not_shown',
		'the client never made a call that worked',
		(log) => {
			const flow = log.signIn();
			log.exchange(flow);
			log.probe('expired', {}, () => log.deadCall(flow));
		}
	],
	['token.notice_early_end', 'failed', 'no refresh follows', (log) => ended(log, 'early_end')],
	[
		'token.notice_early_end',
		'not_shown',
		'a new sign-in follows, and offline access was never asked for',
		(log) => ended(log, 'early_end', () => log.session()),
		{
			text: 'Not shown. After a 401, your client began a new sign-in. It never refreshed, and asked for no offline access.'
		}
	],
	[
		'token.notice_early_end',
		'failed',
		'a new sign-in follows, and offline access was asked for',
		(log) => {
			log.signIn({ query: { access_type: 'offline' } });
			ended(log, 'early_end', () => log.session());
		}
	],
	[
		'token.notice_early_end',
		'failed',
		'it followed the first time only',
		(log) => {
			ended(log, 'early_end', (flow) => log.refresh(flow, ' 1'));
			ended(log, 'early_end');
		}
	],
	[
		'token.notice_early_end',
		'passed',
		'a refresh follows',
		(log) => ended(log, 'early_end', (flow) => log.refresh(flow, ' 1'))
	],
	[
		'token.notice_early_end',
		'not_shown',
		'there is no exam',
		(log) => {
			const flow = log.session();
			log.deadCall(flow);
		}
	]
];

/** An access token ends, and calls follow. */
function ended(log: Log, probe: 'expired' | 'early_end', reacts: (flow: string) => void = () => undefined): void {
	const flow = log.session();
	log.probe(probe, {}, () => {
		log.deadCall(flow);
		reacts(flow);
	});
}

/** A refresh because of a 401. */
function refreshes(log: Log, flow: string): void {
	log.deadCall(flow);
	log.refresh(flow, ' kept');
}

/** A sign-in that issues no refresh token, and the end of its access token. */
function secondSession(log: Log): void {
	const flow = log.signIn();
	log.exchange(flow, { credentials: [] });
	log.call(flow);
	log.deadCall(flow);
}

testCases(cases);
