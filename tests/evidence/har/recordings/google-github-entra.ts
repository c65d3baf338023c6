import { makeHar } from '../make-har.ts';
import { asset, challengeOf, jwt, query, seconds, secret, type Recording } from './recording.ts';

export const google = (): Recording => {
	const [code, state] = [`4/0Af${secret('code')}`, secret('state')];
	const parameters = {
		client_id: '401-f7a.apps.gusercontent.example',
		redirect_uri: 'https://app.fabrikam.example/auth/callback',
		response_type: 'code',
		scope: 'openid email https://www.apis.example/auth/calendar.readonly',
		state,
		access_type: 'offline',
		code_challenge: challengeOf(secret('verifier')),
		code_challenge_method: 'S256'
	};
	return {
		har: makeHar([
			{
				at: 0,
				url: 'https://app.fabrikam.example/auth/start',
				status: 302,
				location: `https://accounts.g.example/o/oauth2/v2/auth?${query(parameters)}`,
				responseHeaders: { 'set-cookie': `session=${secret('cookie')}; Path=/; HttpOnly; SameSite=Lax` }
			},
			{
				at: 0,
				url: `https://accounts.g.example/o/oauth2/v2/auth?${query(parameters)}`,
				status: 302,
				location: `https://accounts.g.example/v3/signin/identifier?${query({ ...parameters, dsh: secret('dsh') })}`
			},
			{
				at: 0.2,
				url: `https://accounts.g.example/v3/signin/identifier?${query({ ...parameters, dsh: secret('dsh') })}`,
				html: '<title>Sign in</title>'
			},
			asset('accounts.g.example'),
			{
				at: 5,
				url: 'https://accounts.g.example/signin/challenge',
				form: { identifier: 'canary@mail.example', Passwd: secret('password') },
				status: 302,
				location: `https://accounts.g.example/signin/oauth/consent?authuser=0&part=${secret('part')}`
			},
			{
				at: 6,
				url: `https://accounts.g.example/signin/oauth/consent?authuser=0&part=${secret('part')}`,
				status: 302,
				location: `https://app.fabrikam.example/auth/callback?${query({ state, code, scope: 'email openid', authuser: '0', prompt: 'consent' })}`
			},
			{
				at: 7,
				url: `https://app.fabrikam.example/auth/callback?${query({ state, code, scope: 'email openid', authuser: '0', prompt: 'consent' })}`,
				headers: { cookie: `session=${secret('cookie')}` },
				status: 302,
				location: '/'
			},
			{ at: 8, url: 'https://app.fabrikam.example/', html: '<p>Hello</p>' }
		]),
		roles: ['application', 'authorization', 'sign_in', 'sign_in', 'sign_in', 'callback'],
		findings: ['file.state_returned', 'file.pkce', 'dialect.no_iss'],
		failed: []
	};
};

export const github = (): Recording => {
	const [code, state, token] = [secret('code'), secret('state'), `gho_${secret('token')}`];
	const parameters = {
		client_id: 'Iv1.8a61f9b3a7aba766',
		redirect_uri: 'http://localhost:3000/callback',
		scope: 'repo,user',
		state
	};
	return {
		har: makeHar([
			{
				at: 0,
				url: `https://git.example/login/oauth/authorize?${query(parameters)}`,
				status: 302,
				location: `http://localhost:3000/callback?${query({ code, state })}`,
				headers: { cookie: `user_session=${secret('cookie')}` }
			},
			{ at: 1, url: `http://localhost:3000/callback?${query({ code, state })}`, html: 'ok' },
			{
				at: 1.2,
				url: 'https://git.example/login/oauth/access_token',
				form: { client_id: parameters.client_id, client_secret: secret('secret'), code },
				body: `access_token=${token}&scope=repo%2Cuser&token_type=bearer`,
				responseHeaders: { 'content-type': 'application/x-www-form-urlencoded' }
			},
			{
				at: 2,
				url: 'https://api.git.example/user',
				headers: { authorization: `token ${token}` },
				body: { login: 'canary', email: 'canary@mail.example' },
				responseHeaders: {
					'x-ratelimit-limit': '5000',
					'x-ratelimit-remaining': '4999',
					'x-ratelimit-reset': String(seconds + 3600),
					'x-ratelimit-resource': 'core',
					'x-oauth-scopes': 'repo, user'
				}
			}
		]),
		roles: ['authorization', 'callback', 'token', 'resource'],
		findings: [
			'dialect.comma_scopes',
			'dialect.form_response',
			'dialect.no_response_type',
			'dialect.no_grant_type',
			'dialect.token_scheme',
			'dialect.rate_limit.x-ratelimit-remaining'
		],
		failed: []
	};
};

export const entra = (): Recording => {
	const [code, state, verifier] = [
		`0.AX${secret('code')}`,
		secret('state'),
		`${secret('verifier')}-long-enough-for-43-characters`
	];
	const redirect_uri = 'https://app.fabrikam.example/';
	const parameters = {
		client_id: '6731de76-14a6-49ae-97bc-6eba6914391e',
		response_type: 'code',
		redirect_uri,
		response_mode: 'fragment',
		scope: 'openid profile User.Read',
		state,
		nonce: secret('nonce'),
		code_challenge: challengeOf(verifier),
		code_challenge_method: 'S256'
	};
	const tenant = '/9188040d-6c67-4b5b-b112-36a304b66dad/oauth2/v2.0';
	return {
		har: makeHar([
			{
				at: 0,
				url: `https://login.m.example/9188040d-6c67-4b5b-b112-36a304b66dad/v2.0/.well-known/openid-configuration`,
				body: {
					issuer: 'https://login.m.example/9188040d-6c67-4b5b-b112-36a304b66dad/v2.0',
					authorization_endpoint: `https://login.m.example${tenant}/authorize`,
					token_endpoint: `https://login.m.example${tenant}/token`,
					jwks_uri: 'https://login.m.example/discovery/v2.0/keys',
					userinfo_endpoint: 'https://graph.m.example/oidc/userinfo'
				}
			},
			{ at: 1, url: `https://login.m.example${tenant}/authorize?${query(parameters)}`, html: '<title>Sign in</title>' },
			{
				at: 9,
				url: 'https://login.m.example/common/login',
				form: { login: 'canary@mail.example', passwd: secret('password'), flowToken: secret('flow') },
				status: 302,
				location: `${redirect_uri}#${query({ code, state, session_state: secret('session') })}`
			},
			{ at: 10, url: redirect_uri, html: '<div id="root"></div>' },
			{
				at: 11,
				url: `https://login.m.example${tenant}/token`,
				headers: { origin: 'https://app.fabrikam.example' },
				form: {
					client_id: parameters.client_id,
					redirect_uri,
					grant_type: 'authorization_code',
					code,
					code_verifier: verifier
				},
				body: {
					token_type: 'Bearer',
					scope: 'openid profile User.Read',
					expires_in: 3599,
					ext_expires_in: 3599,
					access_token: jwt({
						iss: 'https://sts.m.example/',
						aud: 'https://graph.m.example',
						iat: seconds,
						exp: seconds + 3599,
						name: 'canary'
					}),
					refresh_token: secret('refresh'),
					id_token: jwt({
						iss: 'https://login.m.example/9188040d-6c67-4b5b-b112-36a304b66dad/v2.0',
						aud: parameters.client_id,
						iat: seconds,
						exp: seconds + 3600,
						preferred_username: 'canary@mail.example'
					}),
					client_info: secret('info')
				}
			},
			{
				at: 12,
				url: 'https://login.m.example/discovery/v2.0/keys',
				body: { keys: [{ kty: 'RSA', kid: '1', n: 'canary', e: 'AQAB' }] }
			}
		]),
		roles: ['metadata', 'authorization', 'sign_in', 'callback', 'token', 'keys'],
		findings: ['file.verifier', 'exchange.redirect_uri_same', 'file.token_audience'],
		failed: []
	};
};
