import type { Case } from './log.ts';
import { testCases } from './test-cases.ts';

const three = [1, 2, 3];

const cases: Case[] = [
	[
		'request.protected',
		'failed',
		'two sign-ins have neither',
		(log) => {
			log.signIn();
			log.signIn();
		},
		{ text: '2 sign-ins had neither a state nor a code challenge.' }
	],
	[
		'request.protected',
		'passed',
		'two sign-ins have a state or a challenge',
		(log) => {
			log.signIn({ state: 'a' });
			log.signIn({ challenge: 'b' });
		}
	],
	[
		'request.protected',
		'not_shown',
		'one sign-in has neither',
		(log) => {
			log.signIn();
		}
	],
	[
		'request.protected',
		'advice',
		'users copy the codes by hand',
		(log) => three.forEach(() => log.signIn({ redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' }))
	],
	...(['missing_challenge', 'not_s256', 'malformed_challenge'] as const).map((cause): Case => [
		'request.protected',
		'failed',
		`the service rejects sign-ins: ${cause}`,
		(log) => {
			for (const state of ['a', 'b'])
				log.add({
					endpoint: 'auth',
					path: '/ws/oauth2/auth/',
					query: { client_id: 'client', state },
					status: 303,
					failed: 'auth.code_challenge_is_s256',
					cause
				});
		},
		{ text: '2 sign-ins had no code challenge of the method S256.' }
	]),
	[
		'request.protected',
		'not_shown',
		'the codes are those of an attacker',
		(log) => {
			const flow = log.signIn();
			log.signIn();
			log.probe('unsolicited', { code: `code of ${flow}` });
		}
	],
	[
		'request.state_fresh',
		'failed',
		'two browsers have one state',
		(log) =>
			three.forEach((at) => log.probe('warm_up', { browser: at < 3 ? 'a' : 'b' }, () => log.signIn({ state: 'same' }))),
		{ text: '3 sign-ins had the same state.' }
	],
	[
		'request.state_fresh',
		'failed',
		'sign-ins of half an hour have one state',
		(log) => three.forEach(() => log.signIn({ state: 'same' }, 900_000))
	],
	[
		'request.state_fresh',
		'advice',
		'PKCE protects them all the same',
		(log) => three.forEach((at) => log.signIn({ state: 'same', challenge: `${at}` }, 900_000))
	],
	[
		'request.state_fresh',
		'passed',
		'each has its own',
		(log) => three.forEach((at) => log.signIn({ state: `${at}` }, 900_000))
	],
	['request.state_fresh', 'passed', 'a page is reloaded', (log) => three.forEach(() => log.signIn({ state: 'same' }))],
	[
		'request.state_fresh',
		'not_shown',
		'there are two sign-ins',
		(log) => {
			log.signIn({ state: 'same' }, 900_000);
			log.signIn({ state: 'same' }, 900_000);
		}
	],
	[
		'request.state_random',
		'failed',
		'all are short',
		(log) => three.forEach((at) => log.signIn({ state: `${at}`, form: 'decimal', bits: 43 })),
		{ text: 'The state has about 43 bits.' }
	],
	[
		'request.state_random',
		'advice',
		'PKCE protects them all the same',
		(log) => three.forEach((at) => log.signIn({ state: `${at}`, challenge: `${at}`, bits: 43 }))
	],
	[
		'request.state_random',
		'passed',
		'they are long',
		(log) => three.forEach((at) => log.signIn({ state: `${at}`, form: 'hex', bits: 128 }))
	],
	[
		'request.state_random',
		'not_shown',
		'there is one state',
		(log) => three.forEach(() => log.signIn({ state: 'same', bits: 10 }))
	],
	[
		'request.state_private',
		'failed',
		'the state is JSON',
		(log) => {
			log.signIn({ state: 'a', form: 'json' });
		}
	],
	[
		'request.state_private',
		'failed',
		'the state is a token',
		(log) => {
			log.signIn({ state: 'a', form: 'credential' });
		},
		{ severity: 1, text: 'The state is a credential.' }
	],
	[
		'request.state_private',
		'passed',
		'the state is random',
		(log) => {
			log.signIn({ state: 'a', form: 'base64url' });
		}
	],
	[
		'request.state_private',
		'not_shown',
		'there is no state',
		(log) => {
			log.signIn();
		}
	],
	[
		'request.state_not_verifier',
		'failed',
		'they are the same',
		(log) => {
			log.signIn({ state: 'a', challenge: 'a' });
		}
	],
	[
		'request.state_not_verifier',
		'passed',
		'they differ',
		(log) => {
			log.signIn({ state: 'a', challenge: 'b' });
		}
	],
	[
		'request.state_not_verifier',
		'not_shown',
		'there is no PKCE',
		(log) => {
			log.signIn({ state: 'a' });
		}
	],
	[
		'request.challenge_fresh',
		'failed',
		'sign-ins of half an hour have one challenge',
		(log) => {
			log.signIn({ challenge: 'a' });
			log.signIn({ challenge: 'a' }, 1_800_000);
		}
	],
	[
		'request.challenge_fresh',
		'passed',
		'each has its own',
		(log) => {
			log.signIn({ challenge: 'a' });
			log.signIn({ challenge: 'b' });
		}
	],
	[
		'request.challenge_fresh',
		'not_shown',
		'there is one sign-in',
		(log) => {
			log.signIn({ challenge: 'a' });
		}
	],
	[
		'request.scope_needed',
		'advice',
		'the client asks for writing',
		(log) => {
			log.signIn({ scope: 'character_basic character_write' });
		}
	],
	[
		'request.scope_needed',
		'passed',
		'it does not',
		(log) => {
			log.signIn();
		}
	],
	[
		'request.scope_needed',
		'not_shown',
		'there is no sign-in',
		(log) => {
			log.add({});
		}
	],
	['request.redirect_uri_exact', 'failed', 'three requests are rejected', (log) => three.forEach(() => rejected(log))],
	[
		'request.redirect_uri_exact',
		'passed',
		'the first request is rejected',
		(log) => {
			rejected(log);
			log.signIn();
		}
	],
	['request.redirect_uri_exact', 'not_shown', 'the only request is rejected', rejected],
	[
		'request.no_secret',
		'failed',
		'the URL has it',
		(log) => {
			log.signIn({ secret: 'secret' });
		}
	],
	[
		'request.no_secret',
		'passed',
		'it has not',
		(log) => {
			log.signIn();
		}
	],
	[
		'request.no_secret',
		'not_shown',
		'a value under an unknown name is hidden',
		(log) => {
			log.signIn({ query: { app_key: '••••' } });
		}
	],
	['request.no_secret', 'not_shown', 'there is no request', () => undefined]
];

function rejected(log: Parameters<Case[3]>[0]): void {
	log.add({
		endpoint: 'auth',
		query: { client_id: 'client' },
		status: 400,
		failed: 'auth.redirect_uri_registered',
		cause: 'not_registered'
	});
}

testCases(cases);
