import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wordsOf } from '#evidence/har/findings/finding-words.ts';
import { readHar } from '#evidence/har/read-har.ts';
import { makeHar, start, type MadeEntry } from './make-har.ts';

const redirect_uri = 'https://app.example/callback';
const [code, state] = ['SplxlOBeZQQYbYS6WxSbIA31c', 'f0QkZZ81xxPq79aA'];
const query = (more: Record<string, string> = {}) =>
	new URLSearchParams({
		response_type: 'code',
		client_id: 'shop',
		redirect_uri,
		state,
		code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
		code_challenge_method: 'S256',
		...more
	}).toString();
const cookie = 'session=1';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

const login: MadeEntry = {
	at: 0,
	url: 'https://app.example/login',
	status: 302,
	location: `https://auth.example/authorize?${query()}`,
	responseHeaders: { 'set-cookie': 'session=1; SameSite=Strict' }
};
const authorize: MadeEntry = {
	at: 1,
	url: `https://auth.example/authorize?${query()}`,
	status: 302,
	location: `${redirect_uri}?code=${code}&state=${state}`,
	headers: { cookie: 'provider=1' }
};
const callback: MadeEntry = {
	at: 2,
	url: `${redirect_uri}?code=${code}&state=${state}`,
	status: 302,
	location: '/',
	headers: { cookie }
};
const failedCallback: MadeEntry = { ...callback, status: 500, html: 'Error' };
const form = { grant_type: 'authorization_code', code, redirect_uri, client_id: 'shop', code_verifier: verifier };
const token: MadeEntry = {
	at: 3,
	url: 'https://auth.example/token',
	headers: { 'user-agent': 'node' },
	form,
	body: { access_token: '2YotnFZFEjr1zCsicMWpAA', token_type: 'Bearer', expires_in: 30 }
};
const rejected = (error: string, more: Partial<MadeEntry> = {}): MadeEntry => ({
	...token,
	status: 400,
	body: { error },
	...more
});
const call: MadeEntry = {
	at: 4,
	url: 'https://api.example/me',
	headers: { authorization: 'Bearer 2YotnFZFEjr1zCsicMWpAA' },
	body: {}
};
const at = (seconds: number) => ({ date: new Date(start + seconds * 1000).toUTCString() });
const jwt = (claims: object) => `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

/** Sign-ins that fail, by the cause that must be named. */
const broken: readonly (readonly [cause: string, entries: readonly MadeEntry[], words: RegExp])[] = [
	[
		'cause.pkce',
		[authorize, callback, rejected('invalid_grant', { form: { ...form, code_verifier: `${verifier}-other` } })],
		/another code_verifier/
	],
	[
		'cause.pkce',
		[
			authorize,
			callback,
			rejected('invalid_grant', { form: { grant_type: 'authorization_code', code, redirect_uri, client_id: 'shop' } })
		],
		/no code_verifier/
	],
	['cause.code_expired', [authorize, callback, rejected('invalid_grant', { at: 200 })], /came 198 s after the code/],
	[
		'cause.redirect_uri_token',
		[authorize, callback, rejected('invalid_grant', { form: { ...form, redirect_uri: `${redirect_uri}/` } })],
		/callback, and the token request/
	],
	['cause.grant', [authorize, callback, rejected('invalid_grant')], /invalid_grant/],
	['cause.client', [authorize, callback, rejected('invalid_client', { status: 401 })], /invalid_client/],
	[
		'cause.cors',
		[authorize, callback, { ...token, headers: {}, status: 0, body: '' }],
		/no response from auth\.example/
	],
	[
		'cause.scope',
		[
			{
				...authorize,
				location: `${redirect_uri}?error=invalid_scope&error_description=Unknown+scope+foo&state=${state}`
			},
			{ ...callback, url: `${redirect_uri}?error=invalid_scope&state=${state}` }
		],
		/Unknown scope foo/
	],
	[
		'cause.denied',
		[
			{ ...authorize, location: `${redirect_uri}?error=access_denied&state=${state}` },
			{ ...callback, url: `${redirect_uri}?error=access_denied&state=${state}` }
		],
		/access_denied/
	],
	['cause.consent', [{ ...authorize, status: 200, html: '<p>AADSTS65001: not consented</p>' }], /AADSTS65001/],
	['cause.state_lost', [authorize, { ...callback, url: `${redirect_uri}?code=${code}` }], /the callback has none/],
	['cause.cookie', [login, authorize, { ...failedCallback, headers: {} }], /no Cookie header/],
	[
		'cause.cookie',
		[
			login,
			{
				...authorize,
				location: '',
				status: 200,
				html: `<form><input name="code" value="${code}"><input name="state" value="${state}"></form>`
			},
			{ ...failedCallback, url: redirect_uri, form: { code, state }, headers: {} }
		],
		/no Cookie header/
	],
	[
		'cause.other_host',
		[{ ...login, url: 'https://www.app.example/login' }, authorize, failedCallback],
		/began at www\.app\.example/
	],
	[
		'cause.clock',
		[
			{ ...authorize, responseHeaders: at(1) },
			{ ...failedCallback, responseHeaders: at(-88) }
		],
		/90 s behind/
	],
	[
		'cause.callback_rejected',
		[
			authorize,
			{ ...callback, location: '/login' },
			{ ...login, at: 2.5 },
			{
				...authorize,
				at: 3,
				url: authorize.url.replace(state, 'aaaabbbbcccc1111'),
				location: '',
				status: 200,
				html: 'x'
			}
		],
		/began again at once/
	],
	[
		'cause.issuer_slash',
		[
			{ at: 0, url: 'https://auth.example/.well-known/openid-configuration', body: { issuer: 'https://auth.example' } },
			authorize,
			{ ...failedCallback, url: `${failedCallback.url}&iss=https%3A%2F%2Fauth.example%2F` }
		],
		/with and without a slash/
	],
	[
		'file.renewed',
		[
			authorize,
			callback,
			{ ...token, body: { ...Object(token.body), refresh_token: 'tGzv3JOkF0XG5Qx2TlKWIA' } },
			{ ...call, at: 40, status: 401, responseHeaders: { 'www-authenticate': 'Bearer error="invalid_token"' } }
		],
		/had expired/
	],
	[
		'cause.token_rejected',
		[
			{
				...call,
				headers: { authorization: `Bearer ${jwt({ aud: 'https://other.example', exp: start / 1000 + 900 })}` },
				status: 401
			}
		],
		/The token is for https:\/\/other\.example/
	],
	[
		'cause.missing_scope',
		[{ ...call, status: 403, responseHeaders: { 'www-authenticate': 'Bearer error="insufficient_scope"' } }],
		/insufficient_scope/
	],
	[
		'cause.rate_limit',
		[
			{
				...call,
				status: 403,
				responseHeaders: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(start / 1000 + 60) }
			}
		],
		/until 09:13:04 UTC/
	],
	['cause.provider_failed', [authorize, callback, { ...token, status: 503, body: 'busy' }], /status 503/],
	[
		'file.rotation',
		[
			token,
			{
				...token,
				at: 5,
				form: { grant_type: 'refresh_token', refresh_token: 'tGzv3JOkF0XG5Qx2TlKWIA' },
				body: { access_token: 'b'.repeat(22), refresh_token: 'c'.repeat(22), token_type: 'Bearer' }
			},
			rejected('invalid_grant', {
				at: 9,
				form: { grant_type: 'refresh_token', refresh_token: 'tGzv3JOkF0XG5Qx2TlKWIA' }
			})
		],
		/sent again/
	],
	['file.https', [{ ...authorize, url: authorize.url.replace('https', 'http') }, callback], /no encryption/],
	[
		'file.token_audience',
		[
			authorize,
			callback,
			{ ...token, body: { ...Object(token.body), id_token: jwt({ aud: 'other', iss: 'https://auth.example' }) } }
		],
		/another client/
	]
];

test.each(broken)('names the cause %s', (cause, entries, words) => {
	const reading = readHar(makeHar(entries));
	if (reading.kind !== 'read') throw new Error(reading.error);
	const failed = reading.findings.filter(({ state: found }) => found === 'failed');
	expect(failed.map(({ id }) => id)).toContain(cause);
	const finding = failed.find(({ id }) => id === cause);
	expect(finding?.text).toMatch(words);
	expect(finding?.cause ?? 'None.').toMatch(/^[A-Z].*\.$/);
	expect(finding?.fix).toMatch(/^[A-Z].*\.$/);
	expect(finding?.exchanges.length).toBeGreaterThan(0);
});

test('a second request for other permissions, and a silent renewal, are no failures', () => {
	for (const more of [{ scope: 'files' }, { prompt: 'none' }]) {
		const next: MadeEntry = {
			...authorize,
			at: 2.2,
			url: `https://auth.example/authorize?${query({ ...more, state: 'another-state-1234' })}`
		};
		const reading = readHar(makeHar([login, authorize, callback, next]));
		expect(reading.kind === 'read' && reading.findings.filter(({ state: found }) => found === 'failed')).toEqual([]);
	}
});

test('a sign-in that works has no failure', () => {
	const reading = readHar(makeHar([login, authorize, callback, token, call]));
	expect(reading.kind === 'read' && reading.findings.filter(({ state: found }) => found === 'failed')).toEqual([]);
});

test('each finding of the judge has words', () => {
	const folder = new URL('../../../src/evidence/har/findings/', import.meta.url);
	const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
	const ids = sources.flatMap((source) =>
		[...source.matchAll(/'((?:cause|file)\.[a-z_]+)'/g)].map(([, id = '']) => id)
	);
	expect(ids.length).toBeGreaterThan(30);
	for (const id of ids) expect(wordsOf(id).title, id).not.toBe('');
});
