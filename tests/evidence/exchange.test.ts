import type { Log } from './log.ts';
import { type Case } from './log.ts';
import { testCases } from './test-cases.ts';

const rejected = { status: 400, failed: 'token.code_not_used' };
const fromPage = { Host: 'tollgate.test', Origin: 'https://client.test' };
const otherUri = { status: 400, failed: 'token.redirect_uri_matches', cause: 'different' };
const noForm = { status: 400, passed: 'x', failed: 'token.form_is_valid', cause: 'wrong_content_type' };

/** One sign-in for each of these exchanges. */
const exchanges = (log: Log, ...parts: readonly Parameters<Log['exchange']>[1][]): void =>
	parts.forEach((part) => log.exchange(log.signIn(), part));

/** Exchanges of one code. */
const tries = (log: Log, ...parts: readonly Parameters<Log['exchange']>[1][]): void => {
	const flow = log.signIn();
	parts.forEach((part) => log.exchange(flow, part));
};

const lost = { status: null, credentials: [] };
/** An HTTP library repeats each request at once. */
const twice = (log: Log, count: number): void => {
	const flow = log.signIn();
	for (let one = 0; one < count; one++) {
		log.exchange(flow, lost, 400);
		log.exchange(flow, lost, 2);
	}
};

const badRequest = { status: 400, failed: 'fault.not_injected', credentials: [] };

const cases: Case[] = [
	[
		'exchange.once',
		'failed',
		'the code is sent again',
		(log) => tries(log, {}, rejected),
		{ text: 'One code was sent 2 times.' }
	],
	['exchange.once', 'passed', 'each code is sent once', (log) => exchanges(log, {}, {})],
	['exchange.once', 'passed', 'the first request had no response', (log) => tries(log, lost, {})],
	['exchange.once', 'not_shown', 'no exchange worked', (log) => tries(log, rejected)],
	[
		'exchange.redirect_uri_same',
		'failed',
		'two exchanges have another one',
		(log) => exchanges(log, otherUri, otherUri)
	],
	[
		'exchange.redirect_uri_same',
		'passed',
		'one exchange has another one',
		(log) => exchanges(log, otherUri, { passed: 'token.redirect_uri_matches' })
	],
	['exchange.redirect_uri_same', 'not_shown', 'the only exchange has another one', (log) => exchanges(log, otherUri)],
	[
		'exchange.redirect_uri_same',
		'not_shown',
		'the codes are those of an attacker',
		(log) =>
			[1, 2].forEach(() => {
				const flow = log.signIn();
				log.probe('unsolicited', { code: `code of ${flow}` }, () => log.exchange(flow, otherUri));
			})
	],
	['exchange.form', 'failed', 'two requests are JSON', (log) => exchanges(log, noForm, noForm)],
	['exchange.form', 'passed', 'one request is JSON', (log) => exchanges(log, noForm, {})],
	['exchange.form', 'not_shown', 'the only request is JSON', (log) => exchanges(log, noForm)],
	[
		'exchange.secret_on_server',
		'failed',
		'a page of another site sends it',
		(log) => exchanges(log, { requestHeaders: { ...fromPage, 'Sec-Fetch-Site': 'cross-site' } })
	],
	[
		'exchange.secret_on_server',
		'failed',
		'a page of an old browser sends it',
		(log) => exchanges(log, { requestHeaders: { ...fromPage, 'User-Agent': 'Mozilla/5.0 (Macintosh)' } })
	],
	// As `event.fetch` of SvelteKit on a server does.
	[
		'exchange.secret_on_server',
		'not_shown',
		'a server sends the header Origin',
		(log) => exchanges(log, { requestHeaders: { ...fromPage, 'Sec-Fetch-Mode': 'cors', 'User-Agent': 'node' } }),
		{
			text: 'Not shown. The token requests have the header Origin, but nothing else that shows a browser. Some servers send it, too.'
		}
	],
	[
		'exchange.secret_on_server',
		'failed',
		'a page of the same site sends it',
		(log) => exchanges(log, { requestHeaders: { 'Sec-Fetch-Site': 'same-site' } })
	],
	['exchange.secret_on_server', 'passed', 'a server sends it', (log) => exchanges(log, {})],
	[
		'exchange.secret_on_server',
		'failed',
		'a page of the client contains it',
		(log) => log.probe('warm_up', { secretIn: 'A page' }, () => exchanges(log, {})),
		{ text: 'A page of your client contains the client secret.' }
	],
	[
		'exchange.secret_on_server',
		'passed',
		'a page of the service sends it',
		(log) =>
			exchanges(log, {
				requestHeaders: { Host: 'tollgate.test', Origin: 'https://tollgate.test', 'Sec-Fetch-Site': 'same-origin' }
			})
	],
	[
		'exchange.secret_on_server',
		'not_shown',
		'the application is installed',
		(log) => {
			log.kind = 'installed';
			exchanges(log, { requestHeaders: { Origin: 'null' } });
		}
	],
	[
		'exchange.in_body',
		'failed',
		'the query has the secret',
		(log) => exchanges(log, { query: { client_secret: log.secret('client secret', 'secret') } })
	],
	['exchange.in_body', 'passed', 'the form has it', (log) => exchanges(log, {})],
	[
		'exchange.in_body',
		'not_shown',
		'a value of the query is hidden',
		(log) => exchanges(log, { query: { key: 'abcdef…' } })
	],
	[
		'exchange.in_body',
		'not_shown',
		'there is no token request',
		(log) => {
			log.signIn();
		}
	],
	[
		'exchange.real_values',
		'failed',
		'the code is a text for nothing',
		(log) => exchanges(log, { status: 400, failed: 'token.code_known', cause: 'literal_nothing', found: 'null' }),
		{ text: 'Your client sent the text null.' }
	],
	[
		'exchange.real_values',
		'failed',
		'a call has such a token',
		(log) => {
			log.call('none', { status: 401, failed: 'access_token.known', cause: 'literal_nothing', found: 'undefined' });
		},
		{ text: 'Your client sent the text undefined.' }
	],
	[
		'exchange.real_values',
		'failed',
		'the code has blanks around it',
		(log) => exchanges(log, { status: 400, failed: 'token.code_known', cause: 'blank_around' }),
		{ text: 'A value had blanks around it.' }
	],
	[
		'exchange.real_values',
		'failed',
		'the code is empty',
		(log) =>
			exchanges(log, {
				status: 400,
				failed: 'token.code_present',
				form: { grant_type: 'authorization_code', code: '' }
			}),
		{ text: 'Your client sent an empty code.' }
	],
	['exchange.real_values', 'passed', 'the code is one', (log) => exchanges(log, {})],
	['exchange.real_values', 'not_shown', 'there is no request', () => undefined],
	[
		'exchange.one_try',
		'failed',
		'the code is sent four times',
		(log) => log.probe('lost_exchange', {}, () => tries(log, lost, lost, lost, lost)),
		{ text: 'The code of a lost response was sent 4 times.' }
	],
	[
		'exchange.one_try',
		'passed',
		'it is sent three times',
		(log) => log.probe('lost_exchange', {}, () => tries(log, lost, lost, lost))
	],
	[
		'exchange.one_try',
		'passed',
		'the client sends it three times, and its library repeats each request',
		(log) => log.probe('lost_exchange', {}, () => twice(log, 3))
	],
	['exchange.one_try', 'not_shown', 'it is not sent', (log) => log.probe('lost_exchange', {}, () => log.signIn())],
	[
		'exchange.extra_fields',
		'failed',
		'no call follows, but one follows the next sign-in',
		(log) => {
			log.probe('extra_fields', { uses: 1 }, () => exchanges(log, {}));
			log.session();
		}
	],
	[
		'exchange.extra_fields',
		'not_shown',
		'no call follows the next sign-in either: a shared cache has the response',
		(log) => {
			log.session();
			log.probe('extra_fields', { uses: 1 }, () => exchanges(log, {}));
			exchanges(log, {});
		}
	],
	[
		'exchange.extra_fields',
		'not_shown',
		'a cache had the response, and has expired since',
		(log) => {
			log.session();
			log.probe('extra_fields', { uses: 1 }, () => exchanges(log, {}));
			log.call(log.signIn(), {}, 58_000);
		}
	],
	[
		'exchange.extra_fields',
		'passed',
		'a call follows',
		(log) => log.probe('extra_fields', { uses: 1 }, () => log.session())
	],
	[
		'exchange.extra_fields',
		'not_shown',
		'the client never calls',
		(log) => {
			exchanges(log, {});
			log.probe('extra_fields', { uses: 1 }, () => exchanges(log, {}));
		}
	],
	[
		'exchange.extra_fields',
		'not_shown',
		'the client was not used',
		(log) => {
			log.probe('extra_fields', { uses: 0 }, () => exchanges(log, {}));
			log.session();
		}
	],
	[
		'exchange.status',
		'failed',
		'a call follows',
		(log) =>
			log.probe('refused_exchange', { aliveAfter: true }, () => {
				exchanges(log, badRequest);
				log.call('none', { status: 401 });
			})
	],
	[
		'exchange.status',
		'passed',
		'no call follows',
		(log) => log.probe('refused_exchange', { aliveAfter: true }, () => exchanges(log, badRequest))
	],
	[
		'exchange.status',
		'passed',
		'the call has the token of an earlier sign-in',
		(log) => {
			const flow = log.session();
			log.probe('refused_exchange', { aliveAfter: true }, () => {
				exchanges(log, badRequest);
				log.deadCall(flow);
			});
		}
	],
	[
		'exchange.status',
		'not_shown',
		'the client stops working',
		(log) => log.probe('refused_exchange', { aliveAfter: false }, () => exchanges(log, badRequest)),
		{ text: 'Not shown. Your client stopped working after this step.' }
	],
	[
		'exchange.status',
		'not_shown',
		'the client does not exchange the code',
		(log) => log.probe('refused_exchange', { aliveAfter: true }, () => log.signIn())
	]
];

testCases(cases);
