import * as v from 'valibot';
import { equal, matches, ok } from '../assert.ts';
import { bytesOf, isVerified, keyedCase, publicKeys, rotate, signIn } from '../openid.ts';
import {
	basic,
	codeWithPkce,
	exchangeWithPkce,
	getAtOrigin,
	pkce,
	standardCase,
	standardHostCase
} from '../standard.ts';

const silent = { ...pkce, scope: 'openid', prompt: 'none' };

/** Requests that are not valid, and the cause in the trace. */
const invalid: readonly [name: string, asked: Record<string, string>][] = [
	['an unknown prompt', { prompt: 'later' }],
	['prompt=none with another value', { prompt: 'none login' }],
	['a max_age that is no number', { max_age: '1h' }],
	['a negative max_age', { max_age: '-1' }],
	['a nonce of 513 characters', { nonce: 'n'.repeat(513) }]
];

/** OpenID Connect. */
export const standardOpenidCases = [
	standardHostCase('the OpenID configuration is at both places, and is the metadata of the server', async (at) => {
		const response = await at.get('/.well-known/openid-configuration');
		equal(response.status, 200);
		const atOrigin = await getAtOrigin(at, 'openid-configuration');
		equal(atOrigin.json(), response.json());
		equal((await at.get('/.well-known/oauth-authorization-server')).json(), response.json());
		matches(response.text, `"jwks_uri":"${at.base_url}/ws/oauth2/jwks"`, 'the metadata');
		matches(response.text, '"id_token_signing_alg_values_supported":["RS256","ES256"]', 'the metadata');
		equal(response.header('access-control-allow-origin'), '*');
	}),
	standardCase('the dialect of the specification has nothing of it', async (at) => {
		await at.changeSettings({ dialect: 'specification' });
		for (const path of ['/.well-known/openid-configuration', '/ws/oauth2/jwks', '/ws/oauth2/userinfo'])
			equal((await at.get(path)).status, 404, path);
		const response = await at.user().authorize(at.viewer, { scope: 'openid' });
		equal(response.parameter('error'), 'invalid_scope');
	}),
	standardCase('an ID token names issuer, user, client, times, nonce and access token', async (at) => {
		const { access_token, scope, id } = await signIn(at, { nonce: 'a-nonce', scope: 'openid character_read' });
		equal(scope, 'character_read openid');
		const { iss, sub, aud, exp, iat, auth_time, nonce, at_hash } = id.claims;
		equal([iss, sub, aud, nonce], [at.base_url, 'player-one', 'character-viewer', 'a-nonce']);
		equal([exp - iat, Math.abs(iat - (await at.now()) / 1000) < 60], [3920, true]);
		ok(auth_time !== undefined && auth_time <= iat && iat - auth_time < 60, 'auth_time is the sign-in');
		const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(access_token));
		equal([...bytesOf(at_hash)], [...new Uint8Array(digest).slice(0, 16)]);
		equal([id.header.alg, id.header.typ], ['RS256', 'JWT']);
		ok(await isVerified(at, id), 'a published key verifies it');
	}),
	standardCase('an ID token of ES256 is verified', async (at) => {
		const kid = await rotate(at, 'ES256');
		const { id } = await signIn(at);
		equal([id.header.alg, id.header.kid], ['ES256', kid]);
		ok(await isVerified(at, id), 'a published key verifies it');
	}),
	standardCase('without openid there is no ID token, and prompt has no effect', async (at) => {
		const code = await codeWithPkce(at.user(), at.viewer, { prompt: 'none', max_age: 'x' });
		ok(!(await exchangeWithPkce(at, code)).text.includes('id_token'), 'there is none');
	}),
	standardCase('a refresh returns no ID token', async (at) => {
		const { tokens } = await exchangeWithPkce(at, await codeWithPkce(at.user(), at.viewer, { scope: 'openid' }));
		const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
		const response = await at.token(fields, ...basic(at.viewer));
		equal([response.status, response.text.includes('id_token')], [200, false]);
	}),
	standardCase('a code with openid is exchanged after the switch, without an ID token', async (at) => {
		const code = await codeWithPkce(at.user(), at.viewer, { scope: 'openid character_read' });
		await at.changeSettings({ dialect: 'specification' });
		const { client_id, client_secret, redirect_uri } = at.viewer;
		const form = { grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri };
		const response = await at.token({ ...form, code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' });
		equal([response.status, response.text.includes('id_token')], [200, false]);
	}),
	keyedCase('userinfo returns what the scopes open', async (at) => {
		const read = async (scope: string) => {
			const { access_token } = await signIn(at, { scope });
			return (await at.get('/ws/oauth2/userinfo', 'Authorization', `Bearer ${access_token}`)).json();
		};
		equal(await read('openid'), { sub: 'player-one' });
		equal(await read('openid profile'), { sub: 'player-one', name: 'player-one', preferred_username: 'player-one' });
	}),
	standardCase('name and address of a world are claims', async (at) => {
		const world = { accounts: [{ username: 'ada', name: 'Ada Byron', email: 'ada@partner.example' }] };
		await at.controlled('PUT', 'world', { format: 'tollgate-world', version: 1, ...world, characters: [] });
		await at.changeSettings({ dialect: 'standard' });
		const { access_token, id } = await signIn(at, { scope: 'openid profile email' }, at.user('ada'));
		const expected = { name: 'Ada Byron', preferred_username: 'ada', email: 'ada@partner.example' };
		const { name, preferred_username, email } = id.claims;
		equal({ name, preferred_username, email }, expected);
		const response = await at.post('/ws/oauth2/userinfo', {}, 'Authorization', `Bearer ${access_token}`);
		equal(response.json(), { sub: 'ada', ...expected });
	}),
	standardCase('userinfo needs a token with openid', async (at) => {
		const { tokens } = await exchangeWithPkce(at, await codeWithPkce(at.user()));
		const missing = await at.get('/ws/oauth2/userinfo');
		equal([missing.status, missing.header('www-authenticate')?.startsWith('Bearer ')], [401, true]);
		// A token in the body is optional (RFC 6750, section 2.2), and not offered.
		equal((await at.post('/ws/oauth2/userinfo', { access_token: tokens.access_token })).status, 401);
		const response = await at.get('/ws/oauth2/userinfo', 'Authorization', `Bearer ${tokens.access_token}`);
		equal([response.status, response.error], [403, 'insufficient_scope']);
		matches(response.header('www-authenticate'), 'scope="openid"', 'the challenge');
		equal(await at.failedCheck(response), 'userinfo.scope_granted');
		equal((await at.send({ method: 'DELETE', target: '/ws/oauth2/userinfo' })).status, 405);
	}),
	...invalid.map(([name, asked]) =>
		standardCase(`${name} is invalid_request`, async (at) => {
			const response = await at.user().authorize(at.viewer, { ...pkce, scope: 'openid', state: 's', ...asked });
			equal(
				[response.parameter('error'), response.parameter('state'), response.parameter('iss')],
				['invalid_request', 's', at.base_url]
			);
			equal(await at.failedCheck(response), 'auth.openid_parameters_valid');
		})
	),
	standardCase('a parameter of OpenID Connect that is sent twice is rejected', async (at) => {
		const { client_id, redirect_uri } = at.viewer;
		const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, scope: 'openid', ...pkce });
		const response = await at.get(`/ws/oauth2/auth/?${query.toString()}&nonce=1&nonce=2`);
		equal(response.parameter('error'), 'invalid_request');
	}),
	standardCase('a silent request without a session is login_required', async (at) => {
		const response = await at.user().authorize(at.viewer, silent);
		equal([response.status, response.parameter('error')], [303, 'login_required']);
		equal(await at.failedCheck(response), 'auth.no_page_needed');
	}),
	standardCase('a silent request for more than was granted is consent_required', async (at) => {
		const user = at.user();
		await user.allow(at.viewer, { ...pkce, scope: 'openid' });
		const response = await user.authorize(at.viewer, { ...silent, scope: 'openid email' });
		equal(response.parameter('error'), 'consent_required');
	}),
	standardCase('a silent request of an installed application is interaction_required', async (at) => {
		const user = at.user();
		const app = { ...at.companion, redirect_uri: 'http://127.0.0.1:50000' };
		await user.allow(app, { ...pkce, scope: 'openid' });
		equal((await user.authorize(app, silent)).parameter('error'), 'interaction_required');
	}),
	standardCase(
		'a silent request of a frame is interaction_required',
		async (at) => {
			const user = at.user();
			await user.allow(at.viewer, { ...pkce, scope: 'openid' });
			const frame = ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'iframe'];
			equal((await user.authorize(at.viewer, silent, ...frame)).parameter('error'), 'interaction_required');
		},
		['raw headers']
	),
	keyedCase('a silent request gets a code once all was granted', async (at) => {
		const user = at.user();
		const before = await signIn(at, {}, user);
		await at.advance(100);
		const { id } = await signIn(at, { prompt: 'none' }, user);
		equal(id.claims.auth_time, before.id.claims.auth_time);
		ok(id.claims.iat >= before.id.claims.iat + 100, 'iat is new');
	}),
	keyedCase('prompt=login asks for the password again, and auth_time is new', async (at) => {
		const user = at.user();
		const before = await signIn(at, {}, user);
		await at.advance(100);
		const page = await user.authorize(at.viewer, { ...pkce, scope: 'openid', prompt: 'login' });
		matches(page.text, 'name="password"', 'the page');
		const { id } = await signIn(at, { prompt: 'login' }, user);
		ok((id.claims.auth_time ?? 0) >= (before.id.claims.auth_time ?? 0) + 100, 'auth_time is new');
	}),
	keyedCase('no form decides in place of the sign-in that prompt=login asks for', async (at) => {
		const user = at.user();
		await signIn(at, {}, user);
		const page = await user.authorize(at.viewer, { ...pkce, scope: 'openid', prompt: 'login' });
		const decided = await user.decide(page);
		equal([decided.status, decided.header('location')], [200, undefined]);
		matches(decided.text, 'name="password"', 'the page');
		const reopened = await user.open(`/ws/oauth2/auth/?interaction=${page.hidden('interaction')}`);
		matches(reopened.text, 'name="password"', 'the page');
	}),
	keyedCase('prompt=consent asks again for what was granted', async (at) => {
		const user = at.user();
		await signIn(at, {}, user);
		const page = await user.authorize(at.viewer, { ...pkce, scope: 'openid', prompt: 'consent' });
		matches(page.text, 'value="approve"', 'the page');
		equal((await user.decide(page)).parameter('error'), undefined);
	}),
	keyedCase('max_age asks for the password once the sign-in is older', async (at) => {
		const user = at.user();
		await signIn(at, {}, user);
		await at.advance(100);
		ok((await user.authorize(at.viewer, { ...silent, max_age: '1000' })).location.includes('code='), 'young enough');
		equal((await user.authorize(at.viewer, { ...silent, max_age: '50' })).parameter('error'), 'login_required');
		const page = await user.authorize(at.viewer, { ...pkce, scope: 'openid', max_age: '50' });
		matches(page.text, 'name="password"', 'the page');
		const { id } = await signIn(at, { max_age: '50' }, user);
		ok(id.claims.iat - (id.claims.auth_time ?? 0) <= 50, 'auth_time is new');
	}),
	keyedCase('max_age=0 always asks for the password', async (at) => {
		const user = at.user();
		await signIn(at, {}, user);
		const page = await user.authorize(at.viewer, { ...pkce, scope: 'openid', max_age: '0' });
		matches(page.text, 'name="password"', 'the page');
	}),
	keyedCase('a web application may send a nonce in place of PKCE', async (at) => {
		const code = await at.user().code(at.viewer, { scope: 'openid', nonce: 'n' });
		matches((await at.exchange(code)).text, '"id_token"', 'the response');
	}),
	standardCase('an installed application needs PKCE, and so does a request without a nonce or openid', async (at) => {
		const app = { ...at.companion, redirect_uri: 'http://127.0.0.1:50000' };
		const responses = [
			await at.user().authorize(app, { scope: 'openid', nonce: 'n' }),
			await at.user().authorize(at.viewer, { scope: 'openid' }),
			await at.user().authorize(at.viewer, { nonce: 'n' })
		];
		for (const response of responses) equal(await at.failedCheck(response), 'auth.code_challenge_is_s256');
	}),
	standardCase('the consent page says what openid, profile and email mean', async (at) => {
		const page = await at.user().openConsent(at.viewer, { ...pkce, scope: 'openid profile email' });
		for (const meaning of ['Know your user name', 'Know your name', 'Know your email address'])
			matches(page.text, meaning, 'the page');
	}),
	keyedCase('a fault changes one ID token, and no response without one', async (at) => {
		await at.fault({ endpoint: 'token', kind: 'id_token_signature' });
		await exchangeWithPkce(at, await codeWithPkce(at.user()));
		equal(await isVerified(at, (await signIn(at)).id), false);
		equal(await isVerified(at, (await signIn(at)).id), true);
	}),
	keyedCase('each fault of ID tokens changes what it says', async (at) => {
		const wrong = async (kind: string) => {
			await at.fault({ endpoint: 'token', kind });
			return (await signIn(at, { nonce: 'n' })).id;
		};
		equal((await wrong('id_token_audience')).claims.aud, 'another-client');
		equal((await wrong('id_token_nonce')).claims.nonce, 'another-nonce');
		ok((await wrong('id_token_expired')).claims.exp * 1000 < (await at.now()), 'expired');
		const { header } = await wrong('id_token_key');
		ok(!(await publicKeys(at)).some(({ kid }) => kid === header.kid), 'an unknown key');
		const unsigned = await wrong('id_token_unsigned');
		equal([unsigned.header.alg, unsigned.text.endsWith('.')], ['none', true]);
		const { id } = await signIn(at, { nonce: 'n' });
		equal([id.claims.aud, id.claims.nonce, await isVerified(at, id)], ['character-viewer', 'n', true]);
	}),
	standardCase('faults send the errors of silent requests', async (at) => {
		for (const error of ['login_required', 'consent_required', 'interaction_required']) {
			await at.fault({ endpoint: 'auth', kind: 'oauth_error', error });
			equal((await at.user().authorize(at.viewer, pkce)).parameter('error'), error);
		}
		equal((await at.control('POST', 'faults', { endpoint: 'auth', kind: 'id_token_key' })).status, 400);
	}),
	keyedCase('the log shows what an ID token says, and not its signature', async (at) => {
		const code = await codeWithPkce(at.user(), at.viewer, { scope: 'openid' });
		const response = await exchangeWithPkce(at, code);
		const { id_token } = response.as(v.object({ id_token: v.string() }));
		const [header = '', payload = '', signature = ''] = id_token.split('.');
		const log = await at.traffic();
		equal([log.includes(`${header}.${payload}.`), log.includes(signature)], [true, false]);
	})
];
