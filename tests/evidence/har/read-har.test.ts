import { describe, expect, test } from 'vitest';
import { readHar } from '#evidence/har/read-har.ts';
import { makeHar, type MadeEntry } from './make-har.ts';
import { recordedBy, type Recorder } from './recorders.ts';

const client = 'client_id=fabrikam&redirect_uri=https%3A%2F%2Fapp.fabrikam.example%2Fcallback';

const signIn = makeHar([
	{
		at: 0,
		url: 'https://app.fabrikam.example/login',
		status: 302,
		location: `https://auth.meridian.example/authorize?response_type=code&${client}&state=f0QkZZ81xxPq79aA&scope=openid`
	},
	{
		at: 0,
		url: `https://auth.meridian.example/authorize?response_type=code&${client}&state=f0QkZZ81xxPq79aA&scope=openid`,
		html: '<title>Sign in</title>'
	},
	{ at: 1, url: 'https://auth.meridian.example/logo.png' },
	{
		at: 15,
		url: 'https://auth.meridian.example/login',
		form: { username: 'mara', password: 'correct horse' },
		status: 302,
		location: 'https://app.fabrikam.example/callback?code=aut7SplxlOBeZQQYbYS6WxSbIA31c&state=f0QkZZ81xxPq79aA',
		headers: { cookie: 'sid=8d3f0aa1' }
	},
	{
		at: 16,
		url: 'https://app.fabrikam.example/callback?code=aut7SplxlOBeZQQYbYS6WxSbIA31c&state=f0QkZZ81xxPq79aA',
		status: 302,
		location: '/'
	},
	{
		at: 17,
		url: 'https://auth.meridian.example/jwks.json',
		body: {
			keys: [
				{ kty: 'RSA', kid: '1' },
				{ kty: 'RSA', kid: '2' }
			]
		}
	},
	{
		at: 18,
		url: 'https://api.meridian.example/v1/accounts',
		headers: { authorization: 'Bearer 2YotnFZFEjr1zCsicMWpAA2YotnFZFEj' },
		body: { accounts: [{ iban: 'DE00' }] }
	}
]);

test('finds the roles of a sign-in, and keeps labels in place of values', () => {
	const reading = readHar(signIn);
	if (reading.kind !== 'read') throw new Error(reading.error);
	expect(reading.exchanges.map(({ role }) => role)).toEqual([
		'application',
		'authorization',
		'sign_in',
		'callback',
		'keys',
		'resource'
	]);
	expect(reading.exchanges.map(({ outcome }) => outcome)).toEqual([
		'Sign-in starts',
		'Sign-in page',
		'code, state',
		'Code received',
		'2 keys',
		'Status 200'
	]);
	expect(reading.exchanges.map(({ entry }) => entry.flow)).toEqual([
		'sign-in 1',
		'sign-in 1',
		'sign-in 1',
		'sign-in 1',
		undefined,
		undefined
	]);
	const [, , login, callback] = reading.exchanges;
	expect(callback?.entry.request.target).toBe('/callback?code=[code 1]&state=[state 1]');
	expect(callback?.entry.references.map(({ start, end }) => callback.entry.request.target.slice(start, end))).toEqual([
		'[code 1]',
		'[state 1]'
	]);
	expect(login?.entry.request.body).toBe('username=[user 1]&password=[removed]');
	expect(reading.exchanges[5]?.entry.response?.body).toBe('{"accounts":"[1 item]"}');
	expect(reading.recorder).toBe('Chrome');
});

describe('notes follow from what the file shows', () => {
	const authorize = {
		at: 0,
		url: 'https://auth.example/authorize?response_type=code&client_id=a',
		status: 400,
		html: 'x'
	};
	const notesOf = (recorder: Recorder, more: Partial<MadeEntry>) => {
		const reading = readHar(recordedBy(recorder, [{ ...authorize, ...more }]));
		return reading.kind === 'read' ? reading.notes.join(' ') : reading.error;
	};

	test('Chrome leaves out cookies by default, which is said of a short file, too', () => {
		expect(notesOf('Chrome', {})).toContain('Chrome leaves them out unless');
		const withCookie = { responseHeaders: { 'set-cookie': 'a=b' } };
		expect(notesOf('Chrome with sensitive data', withCookie)).toBe('');
	});

	test.each(['Firefox', 'Safari', 'Charles', 'mitmproxy', 'Fiddler', 'Playwright'] as const)(
		'%s does not',
		(recorder) => {
			expect(notesOf(recorder, {})).not.toContain('cookies');
		}
	);

	test('a lost page of an error is named', () => {
		expect(notesOf('Firefox', { lostBody: true })).toContain('left out the bodies of 1 response');
	});
});
