import { makeHar } from '../make-har.ts';
import { challengeOf, query, secret, type Recording } from './recording.ts';

export const keycloak = (): Recording => {
	const [code, state] = [`${secret('code')}.6f1b.9d2c`, secret('state')];
	const realm = 'https://id.fabrikam.example/realms/main';
	const redirect_uri = 'https://app.fabrikam.example/oidc/callback';
	const parameters = {
		client_id: 'shop',
		response_type: 'code',
		scope: 'openid',
		redirect_uri,
		state,
		code_challenge: challengeOf(secret('verifier')),
		code_challenge_method: 'S256'
	};
	const session = query({ session_code: secret('session'), execution: 'e1', client_id: 'shop', tab_id: secret('tab') });
	return {
		har: makeHar(
			[
				{
					at: 0,
					url: `${realm}/.well-known/openid-configuration`,
					body: {
						issuer: `${realm}/`,
						authorization_endpoint: `${realm}/protocol/openid-connect/auth`,
						token_endpoint: `${realm}/protocol/openid-connect/token`,
						end_session_endpoint: `${realm}/protocol/openid-connect/logout`
					}
				},
				{
					at: 1,
					url: `${realm}/protocol/openid-connect/auth?${query(parameters)}`,
					html: '<form></form>',
					responseHeaders: {
						'set-cookie': `AUTH_SESSION_ID=${secret('cookie')}; Path=/realms/main/; Secure; SameSite=None`
					}
				},
				{
					at: 9,
					url: `${realm}/login-actions/authenticate?${session}`,
					form: { username: 'canary', password: secret('password'), credentialId: '' },
					status: 302,
					location: `${redirect_uri}?${query({ state, session_state: secret('sid'), iss: realm, code })}`,
					headers: { cookie: `AUTH_SESSION_ID=${secret('cookie')}` }
				},
				{
					at: 9.3,
					url: `${redirect_uri}?${query({ state, session_state: secret('sid'), iss: realm, code })}`,
					status: 302,
					location: '/'
				},
				{
					at: 9.9,
					url: `${realm}/protocol/openid-connect/certs`,
					body: { keys: [{ kid: 'a', kty: 'RSA', alg: 'RS256', use: 'sig' }] }
				}
			],
			'mitmproxy'
		),
		roles: ['metadata', 'authorization', 'sign_in', 'callback', 'keys'],
		findings: ['dialect.issuer_slash', 'file.state_returned'],
		failed: []
	};
};

export const salesforce = (): Recording => {
	const [code, state, token] = [`aPrx${secret('code')}==`, secret('state'), `00D!${secret('token')}`];
	const redirect_uri = 'https://app.fabrikam.example/sf/callback';
	const client_id = `3MVG9.${'A1b2'.repeat(15)}`;
	return {
		har: makeHar(
			[
				{
					at: 0,
					url: `https://login.sf.example/services/oauth2/authorize?${query({ response_type: 'code', client_id, redirect_uri, state })}`,
					html: '<form></form>'
				},
				{
					at: 7,
					url: 'https://login.sf.example/',
					form: { un: 'canary@mail.example', pw: secret('password') },
					status: 302,
					location: `https://login.sf.example/setup/secur/RemoteAccessAuthorizationPage.apexp?source=${secret('source')}`
				},
				{
					at: 8,
					url: `https://login.sf.example/setup/secur/RemoteAccessAuthorizationPage.apexp?source=${secret('source')}`,
					status: 302,
					location: `${redirect_uri}?${query({ code, state })}`
				},
				{ at: 8.2, url: `${redirect_uri}?${query({ code, state })}`, html: 'ok' },
				{
					at: 8.4,
					url: 'https://login.sf.example/services/oauth2/token',
					form: { grant_type: 'authorization_code', code, client_id, client_secret: secret('secret'), redirect_uri },
					body: {
						access_token: token,
						refresh_token: secret('refresh'),
						signature: secret('signature'),
						scope: 'refresh_token api',
						instance_url: 'https://na1.sf.example',
						id: 'https://login.sf.example/id/00Dx0000000BV7z/005x00000012Q9P',
						token_type: 'Bearer',
						issued_at: '1278448832702'
					}
				},
				{
					at: 9,
					url: 'https://na1.sf.example/services/data/v61.0/limits',
					headers: { authorization: `Bearer ${token}` },
					body: { DailyApiRequests: 1 }
				}
			],
			'Charles Proxy'
		),
		roles: ['authorization', 'sign_in', 'sign_in', 'callback', 'token', 'resource'],
		findings: ['dialect.no_expiry', 'exchange.once'],
		failed: []
	};
};

export const slack = (): Recording => {
	const [code, state, token] = [`${secret('code')}.8f2`, secret('state'), `xoxp-${secret('token')}`];
	const redirect_uri = 'https://app.fabrikam.example/slack/callback';
	return {
		har: makeHar(
			[
				{
					at: 0,
					url: `https://sl.example/oauth/v2/authorize?${query({ client_id: '3336.8899', scope: 'chat:write,channels:read', user_scope: 'users:read,team:read', state, redirect_uri })}`,
					html: '<form></form>'
				},
				{
					at: 5,
					url: 'https://sl.example/oauth/v2/authorize/submit',
					form: { crumb: secret('crumb') },
					status: 302,
					location: `${redirect_uri}?${query({ code, state })}`
				},
				{ at: 5.5, url: `${redirect_uri}?${query({ code, state })}`, html: 'ok' },
				{
					at: 6,
					url: `https://sl.example/api/oauth.v2.access?${query({ client_id: '3336.8899', client_secret: secret('secret'), code, redirect_uri })}`,
					body: {
						ok: true,
						access_token: token,
						token_type: 'bot',
						scope: 'chat:write,channels:read',
						team: { id: 'T1', name: 'canary' },
						authed_user: { id: 'U1', access_token: secret('user-token') }
					}
				},
				{
					at: 7,
					url: 'https://sl.example/api/conversations.list',
					headers: { authorization: `Bearer ${token}` },
					status: 429,
					body: { ok: false, error: 'ratelimited' },
					responseHeaders: { 'retry-after': '30' }
				}
			],
			'Fiddler'
		),
		roles: ['authorization', 'sign_in', 'callback', 'token', 'resource'],
		findings: [
			'dialect.comma_scopes',
			'dialect.user_scope',
			'dialect.ok_field',
			'dialect.token_by_get',
			'dialect.token_type',
			'dialect.rate_limit.retry-after'
		],
		failed: ['cause.rate_limit', 'file.no_secret_in_url', 'exchange.in_body']
	};
};
