import { expect } from 'vitest';
import { encode } from '../../conformance/sandbox.ts';
import { signIn } from '../../conformance/openid.ts';
import { codeWithPkce, exchangeWithPkce, pkce } from '../../conformance/standard.ts';
import { queryOf } from '../../conformance/user-agent.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';
import type { TestResponse } from '../../conformance/response.ts';
import type { Requirements } from './requirement.ts';

const asked = { ...pkce, scope: 'openid' };
const userInfo = '/ws/oauth2/userinfo';

const readUser = (at: Sandbox, access_token: string): Promise<TestResponse> =>
	at.get(userInfo, 'Authorization', `Bearer ${access_token}`);

/** OpenID Connect Core 1.0. */
export const openidRequirements: Requirements = {
	'OIDC Core §2: sub is at most 255 ASCII characters': async (at) => {
		const { id } = await signIn(at);
		expect(id.claims.sub).toMatch(/^[\x21-\x7e]{1,255}$/);
	},
	'OIDC Core §2: sub is never given to another user': async (at) => {
		await at.controlled('POST', 'accounts', { username: 'new-user', password: 'demo' });
		const first = await signIn(at, {}, at.user('new-user'));
		await at.controlled('DELETE', 'accounts/new-user');
		await at.controlled('POST', 'accounts', { username: 'new-user', password: 'demo' });
		expect((await signIn(at, {}, at.user('new-user'))).id.claims.sub).toBe(first.id.claims.sub);
	},
	'OIDC Core §3.1.2.1: Take authentication requests by GET and POST': async (at) => {
		expect((await at.user().authorize(at.viewer, asked)).status).toBe(200);
		const sent = await at.post('/ws/oauth2/auth/', queryOf(at.viewer, asked));
		expect((await at.user().open(sent.location)).text).toContain('name="password"');
	},
	'OIDC Core §3.1.2.1: Ignore scopes that are not understood': async (at) => {
		const code = await codeWithPkce(at.user(), at.viewer, { scope: 'openid unknown phone' });
		expect((await exchangeWithPkce(at, code)).tokens.scope).toBe('openid');
	},
	'OIDC Core §3.1.2.1: Return nonce unchanged in the ID token': async (at) => {
		expect((await signIn(at, { nonce: 'a+b/c ü=' })).id.claims.nonce).toBe('a+b/c ü=');
	},
	'OIDC Core §3.1.2.1: Show no page for prompt=none': async (at) => {
		const silent = await at.user().authorize(at.viewer, { ...asked, prompt: 'none' });
		expect([silent.status, silent.parameter('error')]).toEqual([303, 'login_required']);
		const mixed = await at.user().authorize(at.viewer, { ...asked, prompt: 'none login' });
		expect(mixed.parameter('error')).toBe('invalid_request');
	},
	'OIDC Core §3.1.2.1: Ask again for login, consent and select_account': async (at) => {
		const user = at.user();
		await signIn(at, {}, user);
		const pageOf = async (prompt: string) => (await user.authorize(at.viewer, { ...asked, prompt })).text;
		for (const prompt of ['login', 'select_account']) expect(await pageOf(prompt)).toContain('name="password"');
		expect(await pageOf('consent')).toContain('value="approve"');
		const { prompt_values_supported } = Object((await at.get('/.well-known/openid-configuration')).json());
		expect(prompt_values_supported).toEqual(['none', 'login', 'consent', 'select_account']);
	},
	'OIDC Core §3.1.2.1: Repeat a sign-in older than max_age, and return auth_time': async (at) => {
		const user = at.user();
		await signIn(at, {}, user);
		await at.advance(100);
		expect((await user.authorize(at.viewer, { ...asked, max_age: '50' })).text).toContain('name="password"');
		const { id } = await signIn(at, { max_age: '50' }, user);
		expect(id.claims.iat - (id.claims.auth_time ?? 0)).toBeLessThanOrEqual(50);
	},
	'OIDC Core §3.1.2.1: Ignore display, ui_locales, claims_locales and acr_values without an error': async (at) => {
		const ignored = { display: 'popup', ui_locales: 'xx', claims_locales: 'xx', acr_values: 'urn:x' };
		expect((await at.user().authorize(at.viewer, { ...asked, ...ignored })).status).toBe(200);
	},
	'OIDC Core §3.1.2.1: Use login_hint at the discretion of the server': async (at) => {
		const page = await at.user().authorize(at.viewer, { ...asked, login_hint: 'player-two' });
		expect(page.text).toContain('name="username" value="player-two"');
	},
	'OIDC Core §3.1.2.1, §3.1.2.2: Issue codes for the user of id_token_hint only': async (at) => {
		const { id } = await signIn(at);
		const other = at.user('player-two');
		await signIn(at, {}, other);
		const hint = { ...asked, id_token_hint: id.text };
		const silent = await other.authorize(at.viewer, { ...hint, prompt: 'none' });
		expect(silent.parameter('error')).toBe('login_required');
		expect((await other.authorize(at.viewer, hint)).text).toContain('name="password"');
	},
	'OIDC Core §3.1.2.2: Verify who issued id_token_hint, and accept an expired one': async (at) => {
		const user = at.user();
		const { id } = await signIn(at, {}, user);
		const foreign = await user.authorize(at.viewer, { ...asked, id_token_hint: 'a.b.c' });
		expect(foreign.parameter('error')).toBe('invalid_request');
		await at.advance(7200);
		expect((await user.authorize(at.viewer, { ...asked, id_token_hint: id.text })).location).toContain('code=');
	},
	'OIDC Core §3.1.2.2: Verify all OAuth parameters, and that redirect_uri is registered': async (at) => {
		const wrong = await at.user().authorize({ ...at.viewer, redirect_uri: 'https://evil.example/' }, asked);
		expect([wrong.status, wrong.header('location')]).toEqual([400, undefined]);
		const missing = await at.user().authorize(at.viewer, { ...asked, response_type: undefined });
		expect(missing.parameter('error')).toBe('invalid_request');
	},
	'OIDC Core §3.1.2.2: Ignore unknown parameters': async (at) => {
		expect((await at.user().authorize(at.viewer, { ...asked, unknown: 'x' })).status).toBe(200);
	},
	'OIDC Core §3.1.2.3: Protect the pages against cross-site requests and frames': async (at) => {
		const page = await at.user().authorize(at.viewer, asked);
		expect(page.header('x-frame-options')).toBe('DENY');
		expect(page.header('content-security-policy')).toContain("frame-ancestors 'none'");
		const other = await at.user().decide(page);
		expect([other.status, other.header('location')]).not.toEqual([303, expect.stringContaining('code=')]);
	},
	'OIDC Core §3.1.2.4: Get a decision before information is released': async (at) => {
		const page = await at.user().openConsent(at.viewer, asked);
		expect(page.text).toContain('value="approve"');
	},
	'OIDC Core §3.1.2.5: Respond in the query if no other mode is asked for': async (at) => {
		expect((await at.user().allow(at.viewer, asked)).parameter('code')).toHaveLength(43);
	},
	'OIDC Core §3.1.2.6: Name the error of request, request_uri, registration': async (at) => {
		for (const name of ['request', 'request_uri', 'registration']) {
			const response = await at.user().authorize(at.viewer, { ...asked, state: 's', [name]: 'x' });
			expect([response.parameter('error'), response.parameter('state')]).toEqual([`${name}_not_supported`, 's']);
		}
	},
	'OIDC Core §5.1: sub is the same in ID token and user info': async (at) => {
		const { access_token, id } = await signIn(at);
		expect((await readUser(at, access_token)).json()).toEqual({ sub: id.claims.sub });
	},
	'OIDC Core §5.2: Claims in several languages': async (at) => {
		const { access_token } = await signIn(at, { scope: 'openid profile', claims_locales: 'fr' });
		expect(Object.keys(Object((await readUser(at, access_token)).json())).join()).not.toContain('#');
	},
	'OIDC Core §5.3: User info by GET and POST, with a Bearer token in the header': async (at) => {
		const { access_token } = await signIn(at);
		expect((await readUser(at, access_token)).status).toBe(200);
		expect((await at.post(userInfo, {}, 'Authorization', `Bearer ${access_token}`)).status).toBe(200);
		expect((await at.post(userInfo, { access_token })).status).toBe(401);
	},
	'OIDC Core §5.3: Let scripts of clients read user info (CORS)': 'tests/conformance/cases/standard-browsers.ts',
	'OIDC Core §5.3.2: JSON in UTF-8, sub always, a claim without a value left out': async (at) => {
		const { access_token } = await signIn(at, { scope: 'openid profile email' });
		const response = await readUser(at, access_token);
		expect(response.header('content-type')).toBe('application/json; charset=utf-8');
		expect(response.json()).toEqual({ sub: 'player-one', name: 'player-one', preferred_username: 'player-one' });
	},
	'OIDC Core §5.3.2: A signed or encrypted response, if the client registered it': async (at) => {
		const { access_token } = await signIn(at);
		const headers = ['Authorization', `Bearer ${access_token}`, 'Accept', 'application/jwt'];
		expect((await at.get(userInfo, ...headers)).header('content-type')).toMatch(/^application\/json/);
	},
	'OIDC Core §5.3.3: Errors as RFC 6750 §3 says': async (at) => {
		const response = await readUser(at, 'unknown');
		expect([response.status, response.error]).toEqual([401, 'invalid_token']);
		expect(response.header('www-authenticate')).toContain('error="invalid_token"');
	},
	'OIDC Core §5.4: profile, email, address, phone': async (at) => {
		const { scope } = await signIn(at, { scope: 'openid profile email address phone' });
		expect(scope).toBe('email openid profile');
	},
	'OIDC Core §5.5: The claims parameter': async (at) => {
		const claims = JSON.stringify({ id_token: { email: { essential: true } } });
		const { id } = await signIn(at, { claims });
		expect(id.claims).not.toHaveProperty('email');
		const { claims_parameter_supported } = Object((await at.get('/.well-known/openid-configuration')).json());
		expect(claims_parameter_supported).toBe(false);
	},
	'OIDC Core §5.6: Normal claims, aggregated and distributed ones are optional': async (at) => {
		const { access_token } = await signIn(at, { scope: 'openid profile email' });
		expect((await readUser(at, access_token)).text).not.toContain('_claim_');
	},
	'OIDC Core §11: Ignore offline_access where it does not apply': async (at) => {
		const code = await codeWithPkce(at.user(), at.viewer, { scope: 'openid offline_access' });
		const { scope, refresh_token } = (await exchangeWithPkce(at, code)).tokens;
		expect([scope, refresh_token?.length]).toEqual(['openid', 43]);
	},
	'RP-Initiated Logout §2: Sign out by GET and POST': async (at) => {
		expect((await at.get('/ws/oauth2/logout')).status).toBe(200);
		expect((await at.post('/ws/oauth2/logout', {})).status).toBe(303);
	},
	'RP-Initiated Logout §2: Verify who issued id_token_hint, and accept an expired one': async (at) => {
		const user = at.user();
		const { id } = await signIn(at, {}, user);
		const open = (id_token_hint: string) => user.open(`/ws/oauth2/logout?${encode({ id_token_hint })}`);
		expect((await open('a.b.c')).text).toContain('Sign out of');
		await at.advance(7200);
		expect((await open(id.text)).text).toContain('You are signed out');
	},
	'RP-Initiated Logout §2: Compare client_id with the hint': async (at) => {
		const { id } = await signIn(at);
		const other = await at.register('web', ['https://other.example/cb']);
		const sent = { id_token_hint: id.text, client_id: other.client_id };
		expect((await at.get(`/ws/oauth2/logout?${encode(sent)}`)).status).toBe(400);
	},
	'RP-Initiated Logout §2: Ask the user if the hint does not name the signed-in user': async (at) => {
		const { id } = await signIn(at, {}, at.user('player-two'));
		const user = at.user();
		await user.signIn();
		for (const query of ['', encode({ id_token_hint: id.text })])
			expect((await user.open(`/ws/oauth2/logout?${query}`)).text).toContain('asks to sign you out');
	},
	'RP-Initiated Logout §2: Ask the user in other cases, too': async (at) => {
		const user = at.user();
		const { id } = await signIn(at, {}, user);
		const response = await user.open(`/ws/oauth2/logout?${encode({ id_token_hint: id.text })}`);
		expect(response.text).toContain('You are signed out');
	},
	'RP-Initiated Logout §2: Ignore ui_locales and logout_hint without an error': async (at) => {
		expect((await at.get('/ws/oauth2/logout?ui_locales=xx&logout_hint=player-one')).status).toBe(200);
	},
	'RP-Initiated Logout §2: Notify the other clients of the user': async (at) => {
		const text = (await at.get('/.well-known/openid-configuration')).text;
		expect(text).not.toMatch(/(?:front|back)channel_logout/);
	},
	'RP-Initiated Logout §3: Go only to a registered post_logout_redirect_uri, with state': async (at) => {
		const after = 'https://app.example/bye';
		const wanted = { name: 'App', kind: 'web', redirect_uris: [after], post_logout_redirect_uris: [after] };
		const { client_id } = Object((await at.controlled('POST', 'applications', wanted)).json());
		const go = (uri: string) =>
			at.get(`/ws/oauth2/logout?${encode({ client_id, post_logout_redirect_uri: uri, state: 's' })}`);
		expect((await go(after)).location).toBe(`${after}?state=s`);
		const wrong = await go(`${after}/`);
		expect([wrong.status, wrong.header('location')]).toEqual([400, undefined]);
	}
};
