import type { ProbeId } from '#api/exam.ts';
import type { Log } from './log.ts';
import { type Case } from './log.ts';
import { testCases } from './test-cases.ts';

/** An attacker's code reaches the client. @param reacts what the client sends */
function attack(
	log: Log,
	probe: ProbeId,
	aliveAfter: boolean | undefined,
	reacts: (flow: string) => void = () => undefined
): void {
	log.session({ state: 'a', challenge: 'a' });
	const flow = log.signIn({ state: 'b' });
	log.probe(probe, { code: `code of ${flow}`, ...(aliveAfter === undefined ? {} : { aliveAfter }) }, () =>
		reacts(flow)
	);
	log.session({ state: 'c', challenge: 'c' });
}

const stopped = { text: 'Not shown. Your client stopped working after this step.' };
const reject = { status: 400, failed: 'token.code_verifier_matches' };

const attacks: Case[] = (
	[
		['callback.foreign_code', 'unsolicited'],
		['callback.foreign_code', 'wrong_state'],
		['callback.state_required', 'no_state'],
		['callback.state_required', 'nothing'],
		['callback.state_of_browser', 'other_browser'],
		['callback.state_once', 'used_state']
	] as const
).flatMap(([rule, probe]): Case[] => [
	[
		rule,
		'failed',
		`the client exchanges the code of ${probe}`,
		(log) => attack(log, probe, true, (flow) => log.exchange(flow))
	],
	[
		rule,
		'advice',
		`PKCE stops the code of ${probe}`,
		(log) => attack(log, probe, true, (flow) => log.exchange(flow, reject)),
		{
			text: 'PKCE stopped it: the code verifier is not that of this code. Your client sent the code to the service all the same.'
		}
	],
	[
		rule,
		'advice',
		`another check than that of PKCE stops the code of ${probe}`,
		(log) =>
			attack(log, probe, true, (flow) => log.exchange(flow, { status: 400, failed: 'token.redirect_uri_matches' })),
		{
			text: 'The check token.redirect_uri_matches, “token.redirect_uri_matches”, stopped it. Your client sent the code to the service all the same.'
		}
	],
	[
		rule,
		'not_shown',
		`the exchange of the code of ${probe} gets no response`,
		(log) => attack(log, probe, true, (flow) => log.exchange(flow, { status: null })),
		{ text: 'Not shown. Your client sent the code of an attacker, and the service did not judge it.' }
	],
	[rule, 'passed', `the client leaves the code of ${probe} alone`, (log) => attack(log, probe, true)],
	[rule, 'not_shown', `the client stops working at ${probe}`, (log) => attack(log, probe, false), stopped],
	[rule, 'not_shown', `no sign-in follows ${probe}`, (log) => attack(log, probe, undefined)]
]);

/**
 * A client with a nonce in place of PKCE exchanges the code of an attacker.
 * @param calls whether it uses the token
 * @param uses how often the exam used the client
 */
function attackByNonce(log: Log, calls: boolean, uses = 1): void {
	log.signIn({ state: 'a', scope: 'openid' });
	const flow = log.signIn({ state: 'b', scope: 'openid' });
	log.probe('wrong_state', { code: `code of ${flow}`, aliveAfter: true, uses }, () => {
		log.exchange(flow);
		if (calls) log.call(flow);
	});
}

/** A sign-in during a probe. */
const during = (log: Log, probe: ProbeId, mark: object, part: object): void =>
	log.probe(probe, mark, () => log.exchange(log.signIn({ state: 'a' }), part));

const cases: Case[] = [
	...attacks,
	[
		'callback.foreign_code',
		'failed',
		'the client accepts the ID token of the foreign code',
		(log) => attackByNonce(log, true),
		{ text: 'Your client exchanged a code that it did not ask for.' }
	],
	[
		'callback.foreign_code',
		'advice',
		'the nonce stops the foreign code',
		(log) => attackByNonce(log, false, 1),
		{
			text: 'No call had the token: the nonce stopped it. Your client sent the code to the service all the same.'
		}
	],
	[
		'callback.foreign_code',
		'advice',
		'the exam does not use the client after the exchange of the foreign code',
		(log) => attackByNonce(log, false, 0),
		{
			text: 'The exam did not use the client, so it cannot tell whether the ID token was rejected. Your client sent the code to the service all the same.'
		}
	],
	[
		'callback.state_once',
		'failed',
		'no sign-in has PKCE',
		(log) => {
			const flow = log.signIn({ state: 'a' });
			log.probe('used_state', { code: `code of ${flow}` }, () => log.exchange(flow));
		},
		{ severity: 1 }
	],
	[
		'callback.denial',
		'failed',
		'a token request follows',
		(log) => during(log, 'denied', { aliveAfter: true }, { status: 400, form: { grant_type: 'password' } })
	],
	[
		'callback.denial',
		'failed',
		'the sign-in begins again and again',
		(log) => {
			log.probe('denied', { aliveAfter: true }, () => {
				for (let count = 0; count < 5; count++) log.denied();
			});
			log.session();
		},
		{ text: 'The sign-in began again 4 times after access_denied.' }
	],
	[
		'callback.denial',
		'passed',
		'another user goes on',
		(log) => {
			const other = log.session();
			const begun = log.signIn();
			log.probe('denied', { aliveAfter: true }, () => {
				log.exchange(begun);
				log.denied();
				log.refresh(other, ' 1');
			});
			log.session();
		}
	],
	[
		'callback.denial',
		'passed',
		'the user tries again',
		(log) => {
			log.probe('denied', { aliveAfter: true }, () => {
				log.denied();
				log.denied();
			});
			log.session();
		}
	],
	[
		'callback.denial',
		'passed',
		'no token request follows',
		(log) => {
			log.session();
			log.probe('denied', { aliveAfter: true });
			log.session();
		}
	],
	[
		'callback.denial',
		'not_shown',
		'the client stops working',
		(log) => {
			log.session();
			log.probe('denied', { aliveAfter: false });
		},
		stopped
	],
	[
		'callback.extra_parameters',
		'failed',
		'no exchange follows',
		(log) => {
			log.probe('extra', { aliveAfter: true }, () => log.signIn());
			log.session();
		}
	],
	[
		'callback.extra_parameters',
		'passed',
		'an exchange follows',
		(log) => during(log, 'extra', { aliveAfter: true }, {})
	],
	[
		'callback.extra_parameters',
		'not_shown',
		'the client stops working',
		(log) => log.probe('extra', { aliveAfter: false }, () => log.signIn()),
		stopped
	],
	[
		'callback.hard_code',
		'failed',
		'the code was decoded twice',
		(log) => during(log, 'hard_code', {}, { status: 400, failed: 'token.code_known', cause: 'decoded_twice' }),
		{ text: 'The code arrived changed: it was decoded twice.' }
	],
	['callback.hard_code', 'passed', 'the code arrives', (log) => during(log, 'hard_code', {}, {})],
	['callback.hard_code', 'not_shown', 'no exchange follows', (log) => log.probe('hard_code', {}, () => log.signIn())],
	[
		'callback.error_escaped',
		'failed',
		'the image is loaded',
		(log) =>
			log.probe('error_text', {}, () =>
				log.add({ endpoint: 'ratelimiting', query: { canary: 'id' }, requestHeaders: { 'Sec-Fetch-Dest': 'image' } })
			)
	],
	...(
		[
			['tag', 'Your page rendered error_description as HTML.'],
			['attribute', 'error_description ended an attribute of your page, and added another one.'],
			['script', 'error_description ended a string in a script of your page.'],
			['code', 'error_description is code in a script of your page, outside of a string.'],
			['markup', 'A script of your page writes error_description to the page as HTML.'],
			['link', 'error_description became the address of a link, which runs it as a script.']
		] as const
	).map(([errorText, text]): Case => [
		'callback.error_escaped',
		'failed',
		`the page reads it as ${errorText}`,
		(log) => log.probe('error_text', { errorText }, () => log.signIn()),
		{ text }
	]),
	[
		'callback.error_escaped',
		'failed',
		'the link of an attacker ends an attribute',
		(log) => {
			log.probe('error_text', { errorText: 'escaped' }, () => log.signIn());
			log.probe('error_text', { errorText: 'attribute' }, () => undefined);
		}
	],
	[
		'callback.error_escaped',
		'passed',
		'the page shows it as text',
		(log) => log.probe('error_text', { errorText: 'escaped' }, () => log.signIn())
	],
	[
		'callback.error_escaped',
		'not_shown',
		'the page does not contain it',
		(log) => log.probe('error_text', { errorText: 'absent' }, () => log.signIn()),
		{ text: 'Not shown. The page after an error does not contain error_description.' }
	],
	[
		'callback.error_escaped',
		'not_shown',
		'the page contains a part of it',
		(log) => log.probe('error_text', { errorText: 'cut' }, () => log.signIn()),
		{ text: 'Not shown. The page after an error contains the start of error_description only.' }
	],
	['callback.error_escaped', 'not_shown', 'no page is known', (log) => log.probe('error_text', {}, () => log.signIn())]
];

testCases(cases);
