import type { Case } from './log.ts';
import { testCases } from './test-cases.ts';

const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

const cases: Case[] = [
	[
		'signout.revoke',
		'failed',
		'no revocation follows',
		(log) => {
			log.session();
			log.probe('signed_out');
		}
	],
	[
		'signout.revoke',
		'passed',
		'a revocation follows',
		(log) => {
			const flow = log.session();
			log.probe('signed_out', {}, () => log.revoke(flow));
		}
	],
	[
		'signout.revoke',
		'not_shown',
		'the exam had ended the grant',
		(log) => {
			const flow = log.session();
			log.probe('signed_out', { ended: [`grant of ${flow}`] });
		}
	],
	[
		'signout.revoke',
		'not_shown',
		'there is no sign-out',
		(log) => {
			log.session();
		}
	],
	[
		'signout.no_use_after',
		'failed',
		'a call follows',
		(log) => {
			const flow = log.session();
			log.revoke(flow);
			log.deadCall(flow, 3000);
		}
	],
	[
		'signout.no_use_after',
		'passed',
		'another sign-in follows',
		(log) => {
			const flow = log.session();
			log.revoke(flow);
			log.session();
		}
	],
	[
		'signout.no_use_after',
		'passed',
		'the call was under way',
		(log) => {
			const flow = log.session();
			log.revoke(flow);
			log.deadCall(flow, 1000);
		}
	],
	[
		'signout.no_use_after',
		'not_shown',
		'the log ends there',
		(log) => {
			const flow = log.session();
			log.revoke(flow);
		}
	],
	[
		'signout.no_use_after',
		'not_shown',
		'there is no revocation',
		(log) => {
			log.session();
		}
	],
	[
		'installed.pkce',
		'failed',
		'a sign-in has no challenge',
		(log) => {
			log.kind = 'installed';
			log.signIn({ state: 'a' });
		}
	],
	[
		'installed.pkce',
		'passed',
		'each sign-in has one',
		(log) => {
			log.kind = 'installed';
			log.signIn({ challenge: 'a' });
		}
	],
	[
		'installed.pkce',
		'advice',
		'the user copies the code by hand',
		(log) => {
			log.kind = 'installed';
			log.signIn({ redirect_uri: outOfBand });
		}
	],
	[
		'installed.pkce',
		'not_shown',
		'the application is a web application',
		(log) => {
			log.signIn();
		}
	]
];

testCases(cases);
