import { asked, authorize, begin, callback, query, redirect_uri, signInPage, state, type Form } from './form.ts';

const page = (text: string, title = 'Error') =>
	`<!doctype html><html><head><title>${title}</title><script>var c={"redirect_uri":"x"}</script></head><body>${text}</body></html>`;
/** An error page in place of the sign-in page. */
const errorPage = (text: string, status = 400, url?: string) =>
	authorize({ status, location: '', html: page(text) }, url);
/** Errors of providers, at the authorization endpoint, in the words that they document or that public reports quote. */
export const morePageForms: readonly Form[] = [
	{
		name: 'Keycloak behind a proxy that ends TLS',
		recorder: 'Chrome',
		entries: [
			begin(
				`https://id.meridian.example/oauth2/authorize?${asked({ redirect_uri: 'http://app.fabrikam.example/callback' })}`
			),
			errorPage(
				'<p class="instruction">Invalid parameter: redirect_uri</p>',
				400,
				`https://id.meridian.example/oauth2/authorize?${asked({ redirect_uri: 'http://app.fabrikam.example/callback' })}`
			)
		],
		first: 'cause.redirect_scheme',
		says: /X-Forwarded-Proto/,
		never: /All requests use HTTPS/
	},
	{
		name: 'Keycloak, sign-in left open too long',
		recorder: 'Firefox',
		entries: [
			begin(),
			signInPage(),
			signedIn(),
			callback({
				url: `${redirect_uri}?${query({ error: 'temporarily_unavailable', error_description: 'authentication_expired', state })}`,
				location: '/'
			})
		],
		first: 'cause.sign_in_expired',
		says: /authentication_expired/,
		never: /growing pauses/
	},
	{
		name: 'Okta, redirect URI, as JSON',
		recorder: 'Firefox',
		entries: [
			begin(),
			authorize({
				status: 400,
				location: '',
				body: {
					errorCode: 'E0000001',
					errorSummary:
						"The 'redirect_uri' parameter must be a Login redirect URI in the client app settings: https://id.meridian.example/admin/app/x",
					errorId: 'oaeCanaryErrorId01',
					errorCauses: []
				}
			})
		],
		first: 'cause.redirect_uri',
		says: /must be a Login redirect URI/,
		never: /oaeCanary/
	},
	{
		name: 'Apple, redirect URI',
		recorder: 'Safari',
		entries: [errorPage('<h1>invalid_request</h1><p>Invalid web redirect url.</p>', 403)],
		first: 'cause.redirect_uri',
		never: /occurs twice/
	},
	{
		name: 'Hydra, redirect URI',
		recorder: 'Chrome',
		entries: [
			begin(),
			authorize({
				location: `https://id.meridian.example/oauth2/fallbacks/error?${query({ error: 'invalid_request', error_description: "The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed. The 'redirect_uri' parameter does not match any of the OAuth 2.0 Client's pre-registered redirect urls." })}`
			}),
			{
				at: 1,
				url: `https://id.meridian.example/oauth2/fallbacks/error?${query({ error: 'invalid_request', error_description: "The 'redirect_uri' parameter does not match any of the OAuth 2.0 Client's pre-registered redirect urls." })}`,
				status: 200,
				html: page('x'),
				lostBody: true
			}
		],
		first: 'cause.redirect_uri'
	},
	{
		name: 'Zitadel, redirect URI, as JSON',
		recorder: 'Firefox',
		entries: [
			begin(),
			authorize({
				status: 400,
				location: '',
				body: {
					error: 'invalid_request',
					error_description:
						'The requested redirect_uri is missing in the client configuration. If you have any questions, you may contact the administrator of the application.'
				}
			})
		],
		first: 'cause.redirect_uri',
		never: /occurs twice/
	},
	{
		name: 'Shopify, redirect URI',
		recorder: 'Charles',
		entries: [errorPage('<p>Oauth error invalid_request: The redirect_uri is not whitelisted</p>', 400)],
		first: 'cause.redirect_uri'
	},
	{
		name: 'Salesforce, access denied, and the application fails',
		recorder: 'Safari',
		entries: [
			signInPage(),
			callback({
				url: `${redirect_uri}?${query({ error: 'access_denied', error_description: 'end-user denied authorization', state })}`,
				status: 500,
				location: '',
				html: page('Internal Server Error')
			})
		],
		first: 'cause.denied',
		says: /end-user denied/
	},
	{
		name: 'a provider whose page has no known words',
		recorder: 'Firefox',
		entries: [begin(), errorPage('<p>Hmm. Das hat nicht geklappt.</p>', 400)],
		first: 'cause.error_page',
		says: /status 400/
	}
];

function signedIn() {
	return {
		at: 9,
		url: 'https://id.meridian.example/login-actions/authenticate?execution=e1',
		form: { username: 'canary', password: 'canary horse' },
		status: 302,
		location: `${redirect_uri}?${query({ error: 'temporarily_unavailable', error_description: 'authentication_expired', state })}`,
		headers: { cookie: 'provider=canaryValue82' }
	};
}
