import {
	allowed,
	asked,
	authorize,
	callback,
	exchange,
	fromPage,
	query,
	redirect_uri,
	rejected,
	secretCode,
	state,
	token,
	verifier,
	type Form
} from './form.ts';

const entra = 'https://login.meridian.example/contoso.example/oauth2/v2.0';
const traced = (text: string) =>
	`${text}\r\nTrace ID: 0c7f2993-b612-434d-9cee-244e88f51600\r\nCorrelation ID: 45d80262-c77f-487b-a95b-4566c736e1bc\r\nTimestamp: 2026-11-24 09:12:14Z`;

/** Errors of providers, at the token endpoint and at APIs, in the words that they document or that public reports quote. */
export const tokenForms: readonly Form[] = [
	...(
		[
			[
				'Google',
				'rate_limit',
				403,
				{ error: { code: 403, errors: [{ reason: 'userRateLimitExceeded' }], message: 'User Rate Limit Exceeded' } }
			],
			['GitHub', 'rate_limit', 403, { message: 'You have exceeded a secondary rate limit.' }],
			[
				'Salesforce',
				'rate_limit',
				403,
				[{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'TotalRequests Limit exceeded.' }]
			],
			['Slack, a limit', 'rate_limit', 200, { ok: false, error: 'ratelimited' }],
			['Slack, a scope', 'missing_scope', 200, { ok: false, error: 'missing_scope', needed: 'chat:write' }],
			['Slack, a token', 'token_rejected', 200, { ok: false, error: 'token_revoked' }],
			[
				'Google, a scope',
				'missing_scope',
				403,
				{ error: { code: 403, message: 'Request had insufficient authentication scopes.' } }
			]
		] as const
	).map(([provider, cause, status, body]): Form => ({
		name: `an API of ${provider}, which says in words why it rejects a call`,
		recorder: 'mitmproxy',
		entries: [
			{ at: 12, url: 'https://api.meridian.example/v1/me', headers: { authorization: `Bearer ${token}` }, status, body }
		],
		first: `cause.${cause}`
	})),
	{
		name: 'Entra, a page redeems the code of a Web redirect URI',
		recorder: 'Chrome with sensitive data',
		entries: [
			authorize({ location: `${redirect_uri}#${query({ code: secretCode, state })}` }, `${entra}/authorize?${asked()}`),
			{ at: 10, url: redirect_uri, html: '<div id="root"></div>' },
			rejected(
				400,
				{
					error: 'invalid_request',
					error_description: traced(
						"AADSTS9002326: Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type. Request origin: 'https://app.fabrikam.example'."
					),
					error_codes: [9002326]
				},
				{ url: `${entra}/token`, headers: fromPage, responseHeaders: { 'access-control-allow-origin': '*' } }
			)
		],
		first: 'cause.spa',
		says: /Single-Page Application/,
		never: /occurs twice/
	},
	{
		name: 'Entra, refresh needs a second factor',
		recorder: 'mitmproxy',
		entries: [
			rejected(
				400,
				{
					error: 'invalid_grant',
					error_description: traced(
						'AADSTS50076: Due to a configuration change made by your administrator, or because you moved to a new location, you must use multi-factor authentication.'
					),
					error_codes: [50076],
					suberror: 'basic_action'
				},
				{ url: `${entra}/token` },
				{
					grant_type: 'refresh_token',
					refresh_token: 'canaryRefresh0AbCdEfGh1jKlMnOp',
					code: undefined,
					code_verifier: undefined
				}
			)
		],
		first: 'cause.interaction',
		says: /AADSTS50076/,
		never: /was used before/
	},
	{
		name: 'Entra, expired secret',
		recorder: 'Fiddler',
		entries: [
			rejected(
				401,
				{
					error: 'invalid_client',
					error_description: traced("AADSTS7000222: The provided client secret keys for app 'a' are expired."),
					error_codes: [7000222]
				},
				{ url: `${entra}/token` }
			)
		],
		first: 'cause.client',
		says: /AADSTS7000222/
	},
	{
		name: 'Keycloak, wrong secret',
		recorder: 'mitmproxy',
		entries: [
			authorize(),
			callback(),
			rejected(401, {
				error: 'unauthorized_client',
				error_description: 'Invalid client or Invalid client credentials'
			})
		],
		first: 'cause.client',
		says: /client credentials/,
		never: /grant type/
	},
	{
		name: 'Auth0, wrong secret',
		recorder: 'Charles',
		entries: [authorize(), callback(), rejected(401, { error: 'access_denied', error_description: 'Unauthorized' })],
		first: 'cause.client',
		says: /access_denied: Unauthorized/,
		never: /pressed Cancel/
	},
	{
		name: 'X, no credentials',
		recorder: 'Fiddler',
		entries: [
			authorize(),
			callback(),
			rejected(401, { error: 'unauthorized_client', error_description: 'Missing valid authorization header' })
		],
		first: 'cause.client',
		never: /grant type/
	},
	{
		name: 'X, wrong code',
		recorder: 'mitmproxy',
		entries: [
			authorize(),
			callback(),
			rejected(400, {
				error: 'invalid_request',
				error_description: 'Value passed for the authorization code was invalid.'
			})
		],
		first: 'cause.grant',
		never: /parameter is missing/
	},
	{
		name: 'Slack, no redirect_uri in the token request',
		recorder: 'Fiddler',
		entries: [
			authorize(),
			callback(),
			rejected(200, { ok: false, error: 'bad_redirect_uri' }, {}, { redirect_uri: undefined })
		],
		first: 'cause.redirect_uri_token'
	},
	{
		name: 'Slack, unknown code',
		recorder: 'mitmproxy',
		entries: [authorize(), callback(), rejected(200, { ok: false, error: 'invalid_code' })],
		first: 'cause.grant',
		says: /invalid_code/
	},
	{
		name: 'WeChat, unknown code',
		recorder: 'mitmproxy',
		entries: [authorize(), callback(), rejected(200, { errcode: 40029, errmsg: 'invalid code, rid: 5f4c73b8' })],
		first: 'cause.rejected',
		says: /40029/
	},
	{
		name: 'EVE, scope missing, then the error limit',
		recorder: 'mitmproxy',
		entries: [
			exchange({
				body: {
					access_token: token,
					token_type: 'Bearer',
					expires_in: 1199,
					scope: 'esi-characters.read_corporation_roles.v1'
				}
			}),
			...[403, 420].map((status, at) => ({
				at: 12 + at,
				url: 'https://esi.meridian.example/latest/characters/90000001/assets/',
				headers: { authorization: `Bearer ${token}`, 'user-agent': 'python-requests' },
				status,
				body:
					status === 403
						? { error: 'Token is not valid for scope: esi-characters.read_agents_research.v1' }
						: { error: 'This software has exceeded the error limit for ESI.' },
				responseHeaders: {
					'x-esi-error-limit-remain': String(status === 403 ? 99 : 0),
					'x-esi-error-limit-reset': '38'
				}
			}))
		],
		first: 'cause.missing_scope',
		says: /esi-characters\.read_agents_research\.v1/,
		also: ['cause.rate_limit']
	},
	{
		name: 'Too many token requests',
		recorder: 'Charles',
		entries: [
			rejected(
				429,
				{ error: 'too_many_requests', error_description: 'Too many requests.' },
				{ responseHeaders: { 'retry-after': '30' } }
			)
		],
		first: 'cause.rate_limit',
		says: /09:12:4\d UTC/
	},
	{
		name: 'Facebook, other redirect URI at the token endpoint',
		recorder: 'mitmproxy',
		entries: [
			authorize(),
			callback(),
			rejected(400, {
				error: {
					message:
						'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
					type: 'OAuthException',
					code: 100,
					error_subcode: 36008,
					fbtrace_id: 'canaryTraceAbCdEf'
				}
			})
		],
		first: 'cause.redirect_uri_token',
		says: /identical to the one/,
		never: /canary/
	},
	{
		name: 'an API that names the audience it expects',
		recorder: 'Playwright',
		entries: [
			{
				at: 3,
				url: 'https://api.meridian.example/orders',
				status: 401,
				headers: { ...fromPage, authorization: `Bearer ${token}` },
				responseHeaders: {
					...allowed,
					'www-authenticate':
						'Bearer error="invalid_token", error_description="jwt audience invalid. expected: https://api.meridian.example/"'
				}
			}
		],
		first: 'cause.token_rejected',
		says: /jwt audience invalid/
	},
	{
		name: 'PKCE, the provider has a verifier of another tab',
		recorder: 'mitmproxy',
		entries: [
			authorize(),
			callback(),
			rejected(
				400,
				{ error: 'invalid_grant', error_description: 'PKCE verification failed.' },
				{},
				{ code_verifier: `${verifier}x` }
			)
		],
		first: 'cause.pkce',
		says: /another code_verifier/
	},
	{
		name: 'the provider names the verifier, and the file has no authorization request',
		recorder: 'mitmproxy',
		entries: [rejected(400, { error: 'invalid_grant', error_description: 'code_verifier does not match' })],
		first: 'cause.pkce',
		never: /was used before/
	}
];
