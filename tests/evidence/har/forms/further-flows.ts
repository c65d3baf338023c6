import {
	asked,
	authorize,
	begin,
	callback,
	exchange,
	fromPage,
	query,
	rejected,
	secretCode,
	signInPage,
	state,
	token,
	type Form
} from './form.ts';
import { signedInAt } from './further-parts.ts';

const page = (html: string, status = 400) => [
	begin(),
	authorize({ status, location: '', html: `<html><body>${html}</body></html>` })
];
const ofPage = { ...fromPage, authorization: `Bearer ${token}` };
const api = 'https://api.meridian.example/v1/things';

/** Flows and pages that few files have. */
export const furtherFlows: readonly Form[] = [
	{
		name: 'an application on a phone gets the response',
		recorder: 'Charles',
		entries: [
			signInPage(
				`https://id.meridian.example/oauth2/authorize?${asked({ redirect_uri: 'com.fabrikam.app:/callback' })}`
			),
			authorize(
				{ at: 9, location: `com.fabrikam.app:/callback?${query({ code: secretCode, state })}` },
				`https://id.meridian.example/oauth2/authorize?${asked({ redirect_uri: 'com.fabrikam.app:/callback' })}`
			)
		],
		first: undefined,
		outcome: 'not_shown'
	},
	{
		name: 'the token endpoint moved, and the second request is a GET',
		recorder: 'mitmproxy',
		entries: [
			begin(),
			authorize(),
			callback({ status: 502, location: '', html: '<p>canary</p>', at: 12 }),
			exchange({ status: 301, location: 'https://id.meridian.example/oauth2/token/', body: undefined }),
			{
				at: 11,
				url: 'https://id.meridian.example/oauth2/token/',
				status: 405,
				body: { detail: 'Method "GET" not allowed.' },
				headers: { 'user-agent': 'node' }
			}
		],
		first: 'cause.wrong_address'
	},
	{
		name: 'the preflight of an API is rejected',
		recorder: 'Chrome with sensitive data',
		entries: [
			...signedInAt,
			{
				at: 12,
				method: 'OPTIONS',
				url: api,
				status: 401,
				headers: {
					...fromPage,
					'access-control-request-headers': 'authorization',
					'access-control-request-method': 'GET'
				}
			},
			{ at: 12.1, url: api, status: 0, headers: ofPage }
		],
		first: 'cause.cors'
	},
	{
		name: 'the preflight of an API is rejected, and nothing of the call is recorded',
		recorder: 'Firefox',
		entries: [
			...signedInAt,
			{
				at: 12,
				method: 'OPTIONS',
				url: api,
				status: 403,
				headers: {
					...fromPage,
					'access-control-request-headers': 'authorization',
					'access-control-request-method': 'GET'
				}
			}
		],
		first: 'cause.cors'
	},
	{
		name: 'a pushed request has another redirect URI',
		recorder: 'mitmproxy',
		entries: [
			{
				at: 0.2,
				url: 'https://id.meridian.example/oauth2/par',
				form: {
					client_id: 'shop-client',
					response_type: 'code',
					redirect_uri: 'https://app.fabrikam.example/cb',
					state
				},
				headers: { 'user-agent': 'node' },
				status: 400,
				body: { error: 'invalid_request', error_description: 'redirect_uri is not allowed' }
			}
		],
		first: 'cause.redirect_uri'
	},
	{
		name: 'Keycloak, the sign-in page was open for too long',
		recorder: 'Safari',
		entries: page('<p>Action expired. Please continue with login now.</p>', 200),
		first: 'cause.sign_in_expired'
	},
	{
		name: 'Okta, an error page with its own words',
		recorder: 'Firefox',
		entries: page(
			"<h2>400</h2><p>Your request resulted in an error. The 'redirect_uri' parameter must be a Login redirect URI in the client app settings.</p>"
		),
		first: 'cause.redirect_uri'
	},
	{
		name: 'Google, a policy rejects the request',
		recorder: 'Playwright',
		entries: page(
			"<h1>Access blocked: Authorization Error</h1><p>You can't sign in to this app because it doesn't comply with Google's OAuth 2.0 policy for keeping apps secure.</p><p>Error 400: invalid_request</p>"
		),
		first: 'cause.error_page',
		says: /invalid_request/,
		never: /parameter is missing/
	},
	{
		name: 'Facebook, a blocked redirect URI',
		recorder: 'Fiddler',
		entries: page(
			"<p>URL blocked. This redirect failed because the redirect URI is not white-listed in the app's client OAuth settings.</p>",
			200
		),
		first: 'cause.redirect_uri'
	},
	{
		name: 'a proxy responds with a page at the token endpoint',
		recorder: 'Charles',
		entries: [
			begin(),
			authorize(),
			callback({ status: 500, location: '', html: '<p>canary</p>', at: 12 }),
			exchange({ status: 200, body: undefined, html: '<html><body>Please sign in to the network</body></html>' })
		],
		first: 'cause.wrong_address'
	},
	{
		name: 'a device whose code has expired',
		recorder: 'mitmproxy',
		entries: [
			rejected(
				400,
				{ error: 'expired_token' },
				{ at: 1000 },
				{
					grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
					device_code: 'canaryD3viceCode8',
					code: undefined,
					redirect_uri: undefined,
					code_verifier: undefined
				}
			)
		],
		first: 'cause.rejected',
		says: /expired_token/,
		never: /pressed Cancel|used before/
	},
	{
		name: 'the token endpoint wants another media type',
		recorder: 'Fiddler',
		entries: [
			begin(),
			authorize(),
			callback({ status: 500, location: '', html: '<p>canary</p>', at: 12 }),
			rejected(415, {
				error: 'invalid_request',
				error_description: 'Content-Type must be application/x-www-form-urlencoded'
			})
		],
		first: 'cause.rejected',
		never: /parameter is missing/
	}
];
