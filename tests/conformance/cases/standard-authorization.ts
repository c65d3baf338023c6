import { equal, matches, ok } from '../assert.ts';
import {
	codeWithPkce,
	exchangeWithPkce,
	pkce,
	readCharacter,
	standardCase,
	standardTokens,
	verifier
} from '../standard.ts';

const challenges: readonly (readonly [name: string, asked: Record<string, string>])[] = [
	['no code_challenge', {}],
	['the method plain', { ...pkce, code_challenge_method: 'plain' }],
	['no method', { code_challenge: pkce.code_challenge }],
	['a short code_challenge', { ...pkce, code_challenge: 'short' }]
];

const loopback = [
	'http://127.0.0.1',
	'http://127.0.0.1/',
	'http://127.0.0.1:49152',
	'http://[::1]:49152/',
	'http://localhost:49152'
];

const notLoopback = [
	'http://127.0.0.2:49152',
	'http://127.0.0.1:0',
	'http://127.0.0.1:65536',
	'http://127.0.0.1.example.com:80',
	'http://127.0.0.1@example.com',
	'http://localhost:49152/callback',
	'https://127.0.0.1:49152'
];

/** Authorization in the dialect of today's standards. */
export const standardAuthorizationCases = [
	...challenges.map(([name, asked]) =>
		standardCase(`${name} is invalid_request at the redirect URI, with iss`, async (at) => {
			const response = await at.user().authorize(at.viewer, { ...asked, state: 's' });
			equal(response.status, 303);
			equal(
				[response.parameter('error'), response.parameter('state'), response.parameter('iss')],
				['invalid_request', 's', at.base_url]
			);
			equal(await at.failedCheck(response), 'auth.code_challenge_is_s256');
		})
	),
	standardCase('a code comes with iss (RFC 9207)', async (at) => {
		const response = await at.user().allow(at.viewer, { ...pkce, state: 's' });
		equal([response.parameter('iss'), response.parameter('state')], [at.base_url, 's']);
		ok(response.parameter('code') !== undefined, 'there is a code');
	}),
	standardCase('a denial comes with iss', async (at) => {
		const user = at.user('player-three');
		const response = await user.decide(await user.openConsent(at.viewer, pkce), 'deny');
		equal([response.parameter('error'), response.parameter('iss')], ['access_denied', at.base_url]);
	}),
	standardCase('the consent page says that access is offline', async (at) => {
		const page = await at.user().openConsent(at.viewer, pkce);
		matches(page.text, /while you are away|not present|absent|offline/i, 'the consent page');
	}),
	standardCase('a request without scope asks for the permission that reads characters', async (at) => {
		const user = at.user();
		const code = await codeWithPkce(user, at.viewer, { scope: undefined });
		const { tokens } = await exchangeWithPkce(at, code);
		equal(tokens.scope, 'character_read');
	}),
	...loopback.map((redirect_uri) =>
		standardCase(`an installed application can use ${redirect_uri}`, async (at) => {
			const app = { ...at.companion, redirect_uri };
			const response = await at.user().allow(app, pkce);
			ok(response.location.startsWith(`${redirect_uri}?code=`), response.location);
		})
	),
	...notLoopback.map((redirect_uri) =>
		standardCase(`an installed application cannot use ${redirect_uri}`, async (at) => {
			const response = await at.user().authorize({ ...at.companion, redirect_uri }, pkce);
			equal([response.status, response.header('location')], [400, undefined]);
			equal(await at.failedCheck(response), 'auth.redirect_uri_registered');
		})
	),
	standardCase('a registered loopback path works with any port, and no other host or path', async (at) => {
		const app = await at.register('installed', ['http://127.0.0.1/callback']);
		const asked = (redirect_uri: string) => at.user().authorize({ ...app, redirect_uri }, pkce);
		equal((await asked('http://127.0.0.1:50000/callback')).status, 200);
		for (const host of ['[::1]', 'localhost']) equal((await asked(`http://${host}:50000/callback`)).status, 400, host);
		equal((await asked('http://127.0.0.1:50000/callback/')).status, 400);
		equal((await asked('http://127.0.0.1:50000/')).status, 400);
	}),
	standardCase('the redirect to [::1] passes the Content Security Policy', async (at) => {
		const page = await at.user().authorize({ ...at.companion, redirect_uri: 'http://[::1]:50000' }, pkce);
		matches(page.header('content-security-policy'), /form-action[^;]* http:(?:;| |$)/, 'the policy');
	}),
	standardCase('an installed application cannot register plain HTTP to another machine', async (at) => {
		const body = { name: 'App', kind: 'installed', redirect_uris: ['http://example.com/callback'] };
		equal((await at.control('POST', 'applications', body)).status, 400);
	}),
	standardCase('the out-of-band URI gets a page with an error', async (at) => {
		const response = await at.user().authorize(at.companion, pkce);
		equal([response.status, response.header('location')], [400, undefined]);
		equal(await at.failedCheck(response), 'auth.redirect_uri_registered');
	}),
	standardCase('the redirect URI of a web application is still compared exactly', async (at) => {
		const app = await at.register('web', ['http://localhost:3000/callback']);
		const asked = (redirect_uri: string) => at.user().authorize({ ...app, redirect_uri }, pkce);
		equal((await asked('http://localhost:3000/callback')).status, 200);
		equal((await asked('http://localhost:3001/callback')).status, 400);
		equal((await asked('http://127.0.0.1:3000/callback')).status, 400);
	}),
	standardCase('a code of the specification is exchanged after the switch', async (at) => {
		await at.changeSettings({ dialect: 'specification' });
		const code = await at.user().code();
		await at.changeSettings({ dialect: 'standard' });
		const { tokens } = await at.exchange(code);
		equal(tokens.token_type, 'Bearer');
		equal((await readCharacter(at, tokens.access_token)).status, 200);
	}),
	standardCase('a code of today’s standards is exchanged after the switch back', async (at) => {
		const code = await codeWithPkce(at.user());
		await at.changeSettings({ dialect: 'specification' });
		const { tokens } = await at.exchange(code, at.viewer, { code_verifier: verifier });
		equal(tokens.token_type, 'OAuth');
		equal((await at.character(tokens.access_token)).status, 200);
	}),
	standardCase('tokens work after the switch, in both directions', async (at) => {
		const { access_token, refresh_token } = await standardTokens(at);
		await at.changeSettings({ dialect: 'specification' });
		equal((await at.character(access_token)).status, 200);
		equal((await at.refresh(refresh_token)).status, 200);
		await at.changeSettings({ dialect: 'standard' });
		equal((await readCharacter(at, access_token)).status, 200);
	})
];
