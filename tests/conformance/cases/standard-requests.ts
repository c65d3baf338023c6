import { unescapeHtml } from '#lib/html.ts';
import { equal, lacks, matches, ok } from '../assert.ts';
import { encode, formType } from '../sandbox.ts';
import { bytesOf, keyedCase, signIn } from '../openid.ts';
import { exchangeWithPkce, pkce, standardCase, standardHostCase } from '../standard.ts';
import { queryOf } from '../user-agent.ts';
import type { App, Sandbox } from '../sandbox.ts';
import type { TestResponse } from '../response.ts';

const after = 'https://app.example/signed-out';

/** An application that may send browsers to a URI after a sign-out. */
async function appWithLogout(at: Sandbox): Promise<App> {
	const redirect_uri = 'https://app.example/cb';
	const wanted = { name: 'App', kind: 'web', redirect_uris: [redirect_uri], post_logout_redirect_uris: [after] };
	const { client_id, client_secret } = Object((await at.controlled('POST', 'applications', wanted)).json());
	return { client_id, client_secret, redirect_uri };
}

function hiddenOf(page: TestResponse, ...names: string[]): Record<string, string> {
	return Object.fromEntries(names.map((name) => [name, unescapeHtml(page.hidden(name))]));
}

/** A token with one letter of its signature changed. */
function damaged(token: string): string {
	const [head = '', payload = '', signature = ''] = token.split('.');
	const [first = 0] = bytesOf(signature);
	return `${head}.${payload}.${first > 127 ? 'A' : '_'}${signature.slice(1)}`;
}

/** Methods, parameters and response modes of the authorization endpoint, and the end of a session. */
export const standardRequestCases = [
	standardHostCase('ST-05 an authorization request by POST is sent on as GET, and is no form of a page', async (at) => {
		const user = at.user();
		const body = `${queryOf(at.viewer, { ...pkce, scope: 'openid', state: 'a#b' })}&client_secret=secret&foo=1`;
		const request = { method: 'POST', target: '/ws/oauth2/auth/', headers: [...formType], body };
		const sent = await at.send(request);
		equal(sent.status, 303, sent.text);
		lacks(sent.location, 'secret');
		const page = await user.signInOn(await user.open(sent.location));
		const response = await user.decide(page);
		equal(response.parameter('state'), 'a#b');
		ok(response.parameter('code') !== undefined, 'a code');
		const twice = await at.send({ ...request, body: `${body}&scope=email` });
		equal((await user.open(twice.location)).parameter('error'), 'invalid_request');
		await at.changeSettings({ dialect: 'specification' });
		equal((await at.send(request)).status, 403);
	}),
	...(['request', 'request_uri', 'registration'] as const).map((name) =>
		standardCase(
			`ST-05 the parameter ${name} gets its own error, with and without openid, before others are missed`,
			async (at) => {
				const { client_id, redirect_uri } = at.viewer;
				for (const rest of [{}, { scope: 'openid' }, { response_type: 'code' }]) {
					const response = await at.get(
						`/ws/oauth2/auth/?${encode({ client_id, redirect_uri, state: 's', [name]: 'x', ...rest })}`
					);
					equal([response.parameter('error'), response.parameter('state')], [`${name}_not_supported`, 's']);
					equal(await at.failedCheck(response), 'auth.request_object_absent');
				}
				const page = await at.get(`/ws/oauth2/auth/?${encode({ client_id, [name]: 'x' })}`);
				equal([page.status, page.header('location')], [400, undefined]);
				matches(page.text, `${name}_not_supported`);
			}
		)
	),
	standardCase('ST-05 unknown scopes are ignored with openid, and offline_access always', async (at) => {
		const scopeOf = async (scope: string) => {
			const response = await at.user().allow(at.viewer, { ...pkce, scope });
			return (await exchangeWithPkce(at, response.parameter('code') ?? '')).tokens.scope;
		};
		await at.controlled('POST', 'signing_keys', { alg: 'ES256' });
		equal(await scopeOf('openid profile offline_access address phone'), 'openid profile');
		equal(await scopeOf('offline_access character_read'), 'character_read');
		equal(await scopeOf('offline_access'), 'character_read');
		matches(await at.traffic(), 'Ignored: address offline_access phone');
		const rejected = await at.user().authorize(at.viewer, { ...pkce, scope: 'character_read everything' });
		equal(rejected.parameter('error'), 'invalid_scope');
	}),
	standardHostCase(
		'ST-06 form_post sends code, state and issuer in a form that also works without scripts',
		async (at) => {
			const user = at.user();
			const page = await user.openConsent(at.viewer, { ...pkce, response_mode: 'form_post', state: 'a "b"&c' });
			const response = await user.decide(page);
			equal([response.status, response.header('location')], [200, undefined]);
			equal(hiddenOf(response, 'state', 'iss'), { state: 'a "b"&c', iss: at.base_url });
			matches(response.text, `action="${at.viewer.redirect_uri}" data-submit`);
			matches(response.text, '<button class="primary">Continue</button>');
			matches(response.header('content-security-policy'), 'form-action');
			const code = response.hidden('code');
			lacks(await at.traffic(), code, 'the log');
			equal((await exchangeWithPkce(at, code)).status, 200);
		}
	),
	standardHostCase('ST-06 form_post sends errors in a form, too', async (at) => {
		const user = at.user();
		const asked = { ...pkce, response_mode: 'form_post', state: 's' };
		const denied = await user.decide(await user.openConsent(at.viewer, asked), 'deny');
		equal(hiddenOf(denied, 'error', 'state', 'iss'), { error: 'access_denied', state: 's', iss: at.base_url });
		const wrong = await user.authorize(at.viewer, { ...asked, code_challenge: 'short' });
		equal(hiddenOf(wrong, 'error', 'state'), { error: 'invalid_request', state: 's' });
		const silent = await at.user().authorize(at.viewer, { ...asked, scope: 'openid', prompt: 'none' });
		equal(silent.hidden('error'), 'login_required');
	}),
	standardCase('ST-06 other response modes are invalid_request', async (at) => {
		for (const response_mode of ['fragment', 'query.jwt', 'web_message', 'FORM_POST']) {
			const response = await at.user().authorize(at.viewer, { ...pkce, response_mode });
			equal([response.status, response.parameter('error')], [303, 'invalid_request'], response_mode);
			equal(await at.failedCheck(response), 'auth.response_mode_supported');
		}
		equal((await at.user().authorize(at.viewer, { ...pkce, response_mode: 'query' })).status, 200);
		await at.changeSettings({ dialect: 'specification' });
		equal((await at.user().authorize(at.viewer, { response_mode: 'fragment' })).status, 200);
	}),
	standardHostCase('ST-06 a program that authorizes as a user gets the fields of the form', async (at) => {
		const query = queryOf(at.viewer, { ...pkce, response_mode: 'form_post', state: 's' });
		const { form } = Object((await at.controlled('POST', 'authorizations', { username: 'player-one', query })).json());
		equal([form.action, form.fields.state, form.fields.iss], [at.viewer.redirect_uri, 's', at.base_url]);
		equal((await exchangeWithPkce(at, form.fields.code)).status, 200);
	}),
	keyedCase('ST-07 login_hint fills the user name, and id_token_hint lets no other user in', async (at) => {
		const asked = { ...pkce, scope: 'openid' };
		const hinted = await at.user().authorize(at.viewer, { ...asked, login_hint: 'player-two' });
		matches(hinted.text, 'name="username" value="player-two"');
		const user = at.user();
		const { id } = await signIn(at, {}, user);
		const hint = { ...asked, id_token_hint: id.text };
		ok((await user.authorize(at.viewer, { ...hint, prompt: 'none' })).location.includes('code='), 'the same user');
		const other = at.user('player-two');
		await signIn(at, {}, other);
		equal((await other.authorize(at.viewer, { ...hint, prompt: 'none' })).parameter('error'), 'login_required');
		const page = await other.authorize(at.viewer, hint);
		matches(page.text, 'asks you to sign in as <strong>player-one</strong>');
		matches(page.text, 'name="username" value="player-one"');
		const again = await other.signInOn(page);
		matches(again.text, 'name="password"', 'the wrong user stays on the page');
		equal((await other.decide(again)).header('location'), undefined);
	}),
	keyedCase('ST-07 an id_token_hint that this service did not issue to the client is invalid_request', async (at) => {
		const user = at.user();
		const { id } = await signIn(at, {}, user);
		const app = await appWithLogout(at);
		const foreign = await signIn(at, {}, user, app);
		for (const id_token_hint of ['x', damaged(id.text), foreign.id.text, `${id.text}.x`]) {
			const response = await user.authorize(at.viewer, { ...pkce, scope: 'openid', id_token_hint });
			equal(response.parameter('error'), 'invalid_request', id_token_hint.slice(0, 20));
			equal(await at.failedCheck(response), 'auth.openid_parameters_valid');
		}
		await at.advance(7200);
		equal(
			(await user.authorize(at.viewer, { ...pkce, scope: 'openid', id_token_hint: id.text })).status,
			303,
			'an expired one'
		);
	}),
	standardHostCase('ST-08 HEAD is accepted where GET only reads', async (at) => {
		const head = (target: string, ...headers: string[]) => at.send({ method: 'HEAD', target, headers });
		const paths = ['openid-configuration', 'oauth-authorization-server', 'oauth-protected-resource'];
		for (const target of [...paths.map((name) => `/.well-known/${name}`), '/ws/oauth2/jwks', '/ratelimiting']) {
			const response = await head(target);
			equal([response.status, response.text], [200, ''], target);
		}
		equal((await head('/ws/v2.0/ratelimits')).status, 401);
		equal((await head('/ws/v2.0/character/Mara%20Vell')).status, 401);
		equal((await head('/ws/oauth2/userinfo')).status, 401);
		for (const target of ['/ws/oauth2/auth/', '/ws/oauth2/token/', '/ws/oauth2/revoke', '/ws/oauth2/logout'])
			equal((await head(target)).status, 405, target);
		await at.changeSettings({ dialect: 'specification' });
		equal((await head('/ws/v2.0/ratelimits')).status, 405);
	}),
	keyedCase('ST-09 a client signs its user out with id_token_hint, and the browser returns to it', async (at) => {
		const app = await appWithLogout(at);
		const user = at.user();
		const { id } = await signIn(at, {}, user, app);
		const asked = { id_token_hint: id.text, post_logout_redirect_uri: after, state: 'x y' };
		const response = await user.open(`/ws/oauth2/logout?${encode(asked)}`);
		equal([response.status, response.location], [303, `${after}?state=x%20y`]);
		matches((await user.open('/account')).text, 'name="password"', 'signed out');
		const again = await user.open(`/ws/oauth2/logout?${encode(asked)}`);
		equal([again.status, again.location], [303, `${after}?state=x%20y`], 'without a session');
	}),
	keyedCase('ST-09 without a hint of the user who is signed in, the user confirms', async (at) => {
		const app = await appWithLogout(at);
		const first = await signIn(at, {}, at.user('player-two'), app);
		const user = at.user();
		await signIn(at, {}, user, app);
		const { client_id } = app;
		for (const asked of [
			{ client_id },
			{ client_id, id_token_hint: first.id.text },
			{ client_id, id_token_hint: 'x' },
			{}
		]) {
			const page = await user.open(`/ws/oauth2/logout?${encode(asked)}`);
			matches(page.text, 'Sign out of', JSON.stringify(asked));
			matches((await user.open('/account')).text, 'sign-out', 'still signed in');
		}
		const sent = { client_id, post_logout_redirect_uri: after, state: 's' };
		const page = await user.open(`/ws/oauth2/logout?${encode(sent)}`);
		matches(page.header('content-security-policy'), 'https://app.example');
		const fields = hiddenOf(page, 'csrf_token', 'client_id', 'post_logout_redirect_uri', 'state');
		equal((await user.post('/ws/oauth2/logout', { ...fields, csrf_token: 'x' })).status, 403);
		const response = await user.post('/ws/oauth2/logout', fields);
		equal([response.status, response.location], [303, `${after}?state=s`]);
		matches((await user.open('/account')).text, 'name="password"', 'signed out');
	}),
	keyedCase('ST-09 no browser is sent to a URI that is not registered exactly', async (at) => {
		const app = await appWithLogout(at);
		const user = at.user();
		const { id } = await signIn(at, {}, user, app);
		const hint = { id_token_hint: id.text };
		const { client_id } = app;
		const requests = [
			{ ...hint, post_logout_redirect_uri: `${after}/` },
			{ ...hint, post_logout_redirect_uri: app.redirect_uri },
			{ post_logout_redirect_uri: after },
			{ id_token_hint: damaged(id.text), post_logout_redirect_uri: after },
			{ ...hint, client_id: 'character-viewer', post_logout_redirect_uri: after },
			{ client_id: 'unknown' },
			`client_id=${client_id}&client_id=${client_id}`
		];
		for (const request of requests) {
			const response = await user.open(`/ws/oauth2/logout?${encode(request)}`);
			equal([response.status, response.header('location')], [400, undefined], encode(request).slice(0, 60));
		}
		matches((await user.open('/account')).text, 'sign-out', 'still signed in');
	}),
	keyedCase('ST-09 a sign-out by POST is sent on as GET, and the specification has none', async (at) => {
		const app = await appWithLogout(at);
		const user = at.user();
		const { id } = await signIn(at, {}, user, app);
		const form = { id_token_hint: id.text, post_logout_redirect_uri: after };
		const sent = await at.post('/ws/oauth2/logout', form, 'Origin', 'https://app.example');
		equal(sent.status, 303);
		equal((await user.open(sent.location)).location, after);
		await at.changeSettings({ dialect: 'specification' });
		equal((await at.get('/ws/oauth2/logout')).status, 404);
	})
];
