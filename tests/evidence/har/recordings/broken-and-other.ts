import { makeHar } from '../make-har.ts';
import { challengeOf, query, secret, type Recording } from './recording.ts';

export const commaScopes = (): Recording => {
	const [code, state, token] = [secret('code'), secret('state'), secret('token')];
	const redirect_uri = 'https://app.fabrikam.example/install';
	return {
		har: makeHar([
			{
				at: 0,
				url: `https://store.sh.example/admin/oauth/authorize?${query({ client_id: 'a1b2', scope: 'read_products,write_orders', redirect_uri, state })}`,
				status: 302,
				location: `${redirect_uri}?${query({ code, hmac: secret('hmac'), host: secret('host'), shop: 'store.sh.example', state, timestamp: '1337178173' })}`
			},
			{
				at: 1,
				url: `${redirect_uri}?${query({ code, hmac: secret('hmac'), host: secret('host'), shop: 'store.sh.example', state, timestamp: '1337178173' })}`,
				html: 'ok'
			},
			{
				at: 2,
				url: 'https://store.sh.example/admin/oauth/access_token',
				json: { client_id: 'a1b2', client_secret: secret('secret'), code },
				body: { access_token: token, scope: 'read_products,write_orders', expires: 86399 }
			},
			{
				at: 3,
				url: 'https://store.sh.example/admin/api/2026-10/products.json',
				headers: { 'x-shopify-access-token': token },
				body: { products: [{ title: 'canary' }] },
				responseHeaders: { 'x-shopify-shop-api-call-limit': '32/40' }
			},
			{
				at: 4,
				url: 'https://store.sh.example/admin/api/2026-10/orders.json',
				headers: { 'x-shopify-access-token': token },
				body: {},
				responseHeaders: { ratelimit: '"default";r=8;t=20', 'ratelimit-policy': '"default";q=40;w=60' }
			}
		]),
		roles: ['authorization', 'callback', 'token', 'resource', 'resource'],
		findings: [
			'dialect.comma_scopes',
			'dialect.expires',
			'dialect.no_grant_type',
			'dialect.token_scheme',
			'dialect.rate_limit.x-shopify-shop-api-call-limit',
			'dialect.rate_limit.ratelimit'
		],
		failed: []
	};
};

export const wrongRedirect = (): Recording => {
	const parameters = {
		client_id: 'shop',
		response_type: 'code',
		scope: 'openid',
		redirect_uri: 'https://app.fabrikam.example/callback/',
		state: secret('state')
	};
	return {
		har: makeHar(
			[
				{
					at: 0,
					url: 'https://app.fabrikam.example/login',
					status: 302,
					location: `https://auth.meridian.example/authorize?${query(parameters)}`
				},
				{
					at: 0.2,
					url: `https://auth.meridian.example/authorize?${query(parameters)}`,
					status: 400,
					html: `<h1>Error 400: redirect_uri_mismatch</h1><p>${secret('page')} canary@mail.example</p>`
				}
			],
			'Firefox'
		),
		roles: ['application', 'authorization'],
		findings: ['dialect.error_in_page'],
		failed: ['cause.redirect_uri']
	};
};

export const codeTwice = (): Recording => {
	const [code, state, verifier] = [secret('code'), secret('state'), secret('verifier')];
	const redirect_uri = 'https://app.fabrikam.example/callback';
	const parameters = {
		client_id: 'spa',
		response_type: 'code',
		scope: 'openid',
		redirect_uri,
		state,
		code_challenge: challengeOf(verifier),
		code_challenge_method: 'S256'
	};
	const form = { grant_type: 'authorization_code', code, redirect_uri, client_id: 'spa', code_verifier: verifier };
	return {
		har: makeHar([
			{
				at: 0,
				url: `https://auth.meridian.example/authorize?${query(parameters)}`,
				status: 302,
				location: `${redirect_uri}?${query({ code, state })}`
			},
			{ at: 1, url: `${redirect_uri}?${query({ code, state })}`, html: '<div></div>' },
			{
				at: 1.2,
				url: 'https://auth.meridian.example/token',
				form,
				body: { access_token: secret('token'), token_type: 'Bearer', expires_in: 60 }
			},
			{
				at: 1.3,
				url: 'https://auth.meridian.example/token',
				form,
				status: 400,
				body: { error: 'invalid_grant', error_description: `Code ${code} was used` }
			}
		]),
		roles: ['authorization', 'callback', 'token', 'token'],
		findings: ['file.verifier'],
		failed: ['cause.code_used']
	};
};

/**
 * Safari writes one request for a chain of redirects: its last URL and headers, with the method, the body and the time of its first
 * one. It writes parameters beside the text of a form, joins cookies by a comma, and has no types of resources.
 */
export const safari = (): Recording => {
	const [code, state] = [secret('code'), secret('state')];
	const redirect_uri = 'https://app.fabrikam.example/callback';
	const parameters = {
		client_id: 'shop',
		response_type: 'code',
		scope: 'openid',
		redirect_uri,
		state,
		code_challenge: challengeOf(secret('verifier')),
		code_challenge_method: 'S256'
	};
	const extra = { pageref: 'page_0', _fetchType: 'Network Load', _priority: 'high', serverIPAddress: '192.0.2.7' };
	const safariHeaders = { 'user-agent': 'Mozilla/5.0 (Macintosh) AppleWebKit/605 Version/19.0 Safari/605' };
	const text = makeHar(
		[
			{
				at: 0,
				url: `https://auth.meridian.example/authorize?${query(parameters)}`,
				headers: safariHeaders,
				html: '<form></form>',
				responseHeaders: {
					'set-cookie': `a=${secret('a')}; Secure, b=${secret('b')}; Path=/, c=${secret('c')}; HttpOnly`
				},
				extra: { ...extra, cache: {}, time: 310.2 }
			},
			{
				at: 9,
				url: `${redirect_uri}?${query({ code, state })}`,
				headers: safariHeaders,
				form: { username: secret('user'), password: secret('password'), remember: 'fluffy' },
				html: '<p>Error</p>',
				status: 500,
				extra
			},
			{
				at: 9.5,
				url: 'https://app.fabrikam.example/api/me',
				headers: { ...safariHeaders, cookie: `sid=${secret('cookie')}` },
				status: 401,
				body: {},
				extra: { ...extra, startedDateTime: '', _fetchType: 'Memory Cache' }
			}
		],
		'WebKit Web Inspector'
	);
	return {
		har: text,
		roles: ['authorization', 'callback'],
		findings: ['file.state_returned'],
		failed: ['cause.cookie']
	};
};
