import { describe, expect, test } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import type { Finding } from '#api/exam.ts';
import { GoodClient, type Behavior } from './good-client.ts';
import { Log } from './log.ts';

/** What good clients do. No rule may fail because of it. */
const behaviors: Readonly<Record<string, Behavior>> = {
	'nothing unusual': {},
	'a cache that all users share': { sharesCache: true },
	'three tries within a use': { tries: 3 },
	'no refresh because of a 401': { ignoresRejection: true },
	'a queue': { queue: 2500 },
	'worker processes': { workers: 4 },
	'a reverse proxy': { headers: { Via: '1.1 proxy', 'X-Forwarded-For': '10.0.0.1', Forwarded: 'for=10.0.0.1' } },
	'a backend for a frontend, which passes the headers of the browser on': {
		headers: { Origin: 'https://app.example', 'Sec-Fetch-Site': 'cross-site', Cookie: 'sid=1' }
	},
	'a clock that is 0.9 seconds ahead': { skew: 900 },
	'responses after three seconds': { latency: 3000 },
	'HEAD requests': { asksBefore: 'HEAD' },
	'preflight requests': { asksBefore: 'OPTIONS' },
	'a browser that fetches the sign-in page ahead': { prefetches: true },
	'a silent repeat of lost requests, as by HttpURLConnection': { repeatsSilently: true, tries: 3 },
	'an encrypted state, as by ASP.NET': { stateForm: 'encrypted' },
	'a signed state': { stateForm: 'jwt' },
	'HTTP Basic first, as by golang.org/x/oauth2': { triesBasic: true },
	'a shared cache, a queue and three tries': { sharesCache: true, queue: 2500, tries: 3 }
};

/** What a rule says is true of the behavior. */
const isTrue = (rule: string, { ignoresRejection }: Behavior) =>
	ignoresRejection === true && ['token.refresh_at_expiry', 'token.notice_early_end'].includes(rule);

describe.each(Object.entries(behaviors))('a good client with %s', (_, behavior) => {
	const log = new Log();
	new GoodClient(log, behavior).takeExam();
	const findings = new Map<string, Finding>(log.findings().map((finding) => [finding.rule, finding]));

	test.each(allRules.map(({ id }) => id))('does not fail %s', (rule) => {
		const { verdict, text } = findings.get(rule) ?? {};
		expect(isTrue(rule, behavior) ? 'failed' : ['passed', 'not_shown'], text).toContain(verdict);
	});
});

test('the client shows most rules, so that the table says something', () => {
	const log = new Log();
	new GoodClient(log, {}).takeExam();
	const open = log.findings().filter(({ verdict }) => verdict !== 'passed');
	expect(open.map(({ rule }) => rule)).toEqual([
		...['request.nonce_fresh', 'request.navigated'],
		'request.metadata_issuer',
		...['request.pushed_fresh', 'request.pushed_alone'],
		'callback.issuer',
		...['exchange.resource_same', 'exchange.issuer_credentials'],
		// It has one user.
		...['token.own_user', 'call.own_user'],
		'limit.paced',
		'installed.pkce',
		...['device.interval', 'device.slow_down', 'device.end'],
		...[
			'dpop.new_proof',
			'dpop.this_request',
			'dpop.this_token',
			'dpop.clock',
			'dpop.scheme',
			'dpop.one_key',
			'dpop.nonce'
		],
		...['delegation.narrow', 'delegation.not_widened'],
		...['assertion.fresh', 'assertion.short', 'assertion.audience']
	]);
});
