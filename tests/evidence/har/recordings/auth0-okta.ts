import { makeHar } from '../make-har.ts';
import { challengeOf, jwt, query, seconds, secret, type Recording } from './recording.ts';

export const auth0 = (): Recording => {
	const [code, state, token] = [secret('code'), secret('state'), secret('token')];
	const redirect_uri = 'https://app.fabrikam.example/callback';
	const parameters = {
		client_id: 'canaryless',
		response_type: 'code',
		redirect_uri,
		scope: 'openid profile offline_access',
		audience: 'https://api.fabrikam.example/',
		state,
		nonce: secret('nonce'),
		code_challenge: challengeOf(secret('verifier')),
		code_challenge_method: 'S256',
		auth0Client: secret('telemetry')
	};
	return {
		har: makeHar([
			{
				at: 0,
				url: `https://fabrikam.a0.example/authorize?${query(parameters)}`,
				status: 302,
				location: `/u/login?state=${secret('login-state')}`
			},
			{ at: 0.3, url: `https://fabrikam.a0.example/u/login?state=${secret('login-state')}`, html: '<form></form>' },
			{
				at: 8,
				url: `https://fabrikam.a0.example/u/login?state=${secret('login-state')}`,
				form: {
					state: secret('login-state'),
					username: 'canary@mail.example',
					password: secret('password'),
					action: 'default'
				},
				status: 302,
				location: `/authorize/resume?state=${secret('login-state')}`
			},
			{
				at: 9,
				url: `https://fabrikam.a0.example/authorize/resume?state=${secret('login-state')}`,
				status: 302,
				location: `${redirect_uri}?${query({ code, state })}`
			},
			{ at: 9.5, url: `${redirect_uri}?${query({ code, state })}`, html: '<div></div>' },
			{
				at: 10,
				url: 'https://fabrikam.a0.example/oauth/token',
				json: {
					grant_type: 'authorization_code',
					client_id: 'canaryless',
					code,
					redirect_uri,
					code_verifier: secret('verifier')
				},
				body: {
					access_token: token,
					id_token: jwt({
						iss: 'https://fabrikam.a0.example/',
						aud: 'canaryless',
						iat: seconds,
						exp: seconds + 36000,
						email: 'canary@mail.example'
					}),
					scope: 'openid profile',
					expires_in: 86400,
					token_type: 'Bearer'
				}
			},
			{
				at: 11,
				url: 'https://api.fabrikam.example/orders?page=2',
				headers: { authorization: `Bearer ${token}` },
				body: [{ canary: 'canary' }],
				responseHeaders: { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }
			}
		]),
		roles: ['authorization', 'sign_in', 'sign_in', 'sign_in', 'callback', 'token', 'resource'],
		findings: ['dialect.json_token_request', 'dialect.audience', 'dialect.other_scopes', 'file.verifier'],
		failed: []
	};
};

export const okta = (): Recording => {
	const [code, state] = [secret('code'), secret('state')];
	const redirect_uri = 'https://app.fabrikam.example/login/callback';
	const base = 'https://fabrikam.o.example/oauth2/default/v1';
	const parameters = {
		client_id: '0oa2hl2inow5Uqc6c357',
		response_type: 'code',
		scope: 'openid',
		redirect_uri,
		state,
		nonce: secret('nonce')
	};
	const token = secret('token');
	return {
		har: makeHar([
			{
				at: 0,
				url: `${base}/authorize?${query(parameters)}`,
				status: 302,
				location: `https://fabrikam.o.example/login/login.htm?fromURI=%2Foauth2%2Fv1%2Fauthorize%2Fredirect%3Fokta_key%3D${secret('key')}`
			},
			{
				at: 1,
				url: `https://fabrikam.o.example/login/login.htm?fromURI=%2Foauth2%2Fv1%2Fauthorize%2Fredirect%3Fokta_key%3D${secret('key')}`,
				html: '<div></div>'
			},
			{
				at: 6,
				url: 'https://fabrikam.o.example/idp/idx/identify',
				json: { identifier: 'canary', credentials: { passcode: secret('password') }, stateHandle: secret('handle') },
				body: { stateHandle: secret('handle'), user: { profile: { firstName: 'canary' } } }
			},
			{
				at: 7,
				url: `https://fabrikam.o.example/login/token/redirect?stateToken=${secret('statetoken')}`,
				status: 302,
				location: `${redirect_uri}?${query({ code, state })}`
			},
			{ at: 7.5, url: `${redirect_uri}?${query({ code, state })}`, status: 302, location: '/' },
			{
				at: 8,
				url: `${base}/token`,
				headers: {
					authorization: `Basic ${Buffer.from(`0oa2hl2inow5Uqc6c357:${secret('secret')}`).toString('base64')}`
				},
				form: { grant_type: 'authorization_code', code, redirect_uri },
				body: { access_token: token, token_type: 'Bearer', expires_in: 3600, scope: 'openid' },
				responseHeaders: {
					'x-rate-limit-limit': '600',
					'x-rate-limit-remaining': '598',
					'x-rate-limit-reset': String(seconds + 60)
				}
			},
			{
				at: 9,
				url: `${base}/introspect`,
				form: { token, token_type_hint: 'access_token', client_id: '0oa2hl2inow5Uqc6c357' },
				body: { active: true, username: 'canary@mail.example', exp: seconds + 3600 }
			},
			{
				at: 9.5,
				url: `${base}/userinfo`,
				headers: { authorization: `Bearer ${token}` },
				body: { sub: 'canary-subject', name: 'canary', email: 'canary@mail.example' }
			},
			{
				at: 60,
				url: `${base}/revoke`,
				form: { token, token_type_hint: 'access_token', client_id: '0oa2hl2inow5Uqc6c357' },
				body: ''
			},
			{
				at: 61,
				url: `${base}/logout?${query({ id_token_hint: jwt({ sub: 'canary' }), post_logout_redirect_uri: 'https://app.fabrikam.example/', state })}`,
				status: 302,
				location: 'https://app.fabrikam.example/'
			}
		]),
		roles: [
			'authorization',
			'sign_in',
			'sign_in',
			'sign_in',
			'callback',
			'token',
			'introspection',
			'userinfo',
			'revocation',
			'sign_out'
		],
		findings: ['dialect.rate_limit.x-rate-limit-remaining', 'exchange.once', 'signout.revoke'],
		failed: []
	};
};
