import { asked, authorize, begin, callback, query, redirect_uri, signInPage, state, type Form } from './form.ts';

const page = (text: string, title = 'Error') =>
	`<!doctype html><html><head><title>${title}</title><script>var c={"redirect_uri":"x"}</script></head><body>${text}</body></html>`;
/** An error page in place of the sign-in page. */
const errorPage = (text: string, status = 400, url?: string) =>
	authorize({ status, location: '', html: page(text) }, url);
const entra = 'https://login.meridian.example/contoso.example/oauth2/v2.0';
const entraPage = (message: string, code: string) =>
	authorize(
		{
			status: 200,
			location: '',
			html: `<html><head><title>Sign in to your account</title></head><body><script>$Config={"iErrorCode":${code.slice(6)},"strServiceExceptionMessage":"${code}: ${message}","sTenant":"contoso"};</script></body></html>`
		},
		`${entra}/authorize?${asked()}`
	);
/** Errors of providers, at the authorization endpoint, in the words that they document or that public reports quote. */
export const pageForms: readonly Form[] = [
	{
		name: 'Google, redirect_uri_mismatch, page kept',
		recorder: 'Chrome',
		entries: [
			begin(`https://accounts.meridian.example/o/oauth2/v2/auth?${asked({ access_type: 'offline' })}`),
			authorize(
				{ location: 'https://accounts.meridian.example/signin/oauth/error?authError=ChVyZWRpcmVjdF91cmlfbWlzbWF0Y2g' },
				`https://accounts.meridian.example/o/oauth2/v2/auth?${asked({ access_type: 'offline' })}`
			),
			{
				at: 0.9,
				url: 'https://accounts.meridian.example/signin/oauth/error?authError=ChVyZWRpcmVjdF91cmlfbWlzbWF0Y2g&client_id=shop-client',
				status: 400,
				html: page('<h1>Access blocked</h1><p>Error 400: redirect_uri_mismatch</p>', 'Sign in')
			}
		],
		first: 'cause.redirect_uri',
		says: /redirect_uri_mismatch/
	},
	{
		name: 'Google, redirect_uri_mismatch, body of the page lost',
		recorder: 'Chrome',
		entries: [
			begin(`https://accounts.meridian.example/o/oauth2/v2/auth?${asked()}`),
			authorize(
				{
					location:
						'https://accounts.meridian.example/signin/oauth/error?authError=ChVyZWRpcmVjdF91cmlfbWlzbWF0Y2gSBENhbmFyeQ%3D%3D'
				},
				`https://accounts.meridian.example/o/oauth2/v2/auth?${asked()}`
			),
			{
				at: 0.9,
				url: 'https://accounts.meridian.example/signin/oauth/error?authError=ChVyZWRpcmVjdF91cmlfbWlzbWF0Y2gSBENhbmFyeQ%3D%3D&client_id=shop-client',
				status: 400,
				html: page('x'),
				lostBody: true
			}
		],
		first: 'cause.redirect_uri',
		says: /redirect_uri_mismatch/
	},
	{
		name: 'Google, deleted client',
		recorder: 'Firefox',
		entries: [begin(), errorPage('<p>Error 401: deleted_client</p><p>The OAuth client was deleted.</p>', 401)],
		first: 'cause.client',
		says: /deleted_client/,
		never: /access_denied|pressed Cancel/
	},
	{
		name: 'Google, browser in an application',
		recorder: 'Charles',
		entries: [errorPage('<h1>Access blocked</h1><p>Error 403: disallowed_useragent</p>', 403)],
		first: 'cause.embedded_browser',
		says: /disallowed_useragent/,
		never: /pressed Cancel/
	},
	{
		name: 'Google, only users of the organization',
		recorder: 'Safari',
		entries: [errorPage('<h1>Access blocked</h1><p>Error 403: org_internal</p>', 403)],
		first: 'cause.account',
		says: /org_internal/
	},
	{
		name: 'Entra, account of another tenant',
		recorder: 'Firefox',
		entries: [
			begin(`${entra}/authorize?${asked()}`),
			entraPage(
				"User account 'canary@mail.example' from identity provider 'live.com' does not exist in tenant 'Contoso'",
				'AADSTS50020'
			)
		],
		first: 'cause.account',
		says: /AADSTS50020/,
		never: /canary/
	},
	{
		name: 'Entra, blocked by Conditional Access',
		recorder: 'Chrome',
		entries: [
			begin(`${entra}/authorize?${asked()}`),
			entraPage('Access has been blocked by Conditional Access policies.', 'AADSTS53003')
		],
		first: 'cause.account',
		says: /AADSTS53003/
	},
	{
		name: 'Cognito, redirect_mismatch',
		recorder: 'Chrome',
		entries: [
			begin(),
			authorize({ location: 'https://id.meridian.example/error?error=redirect_mismatch&client_id=shop-client' }),
			{
				at: 0.8,
				url: 'https://id.meridian.example/error?error=redirect_mismatch&client_id=shop-client',
				status: 400,
				html: page('An error was encountered with the requested page.'),
				lostBody: true
			}
		],
		first: 'cause.redirect_uri',
		says: /redirect_mismatch/
	},
	{
		name: 'GitHub, other callback address',
		recorder: 'Safari',
		entries: [
			begin(),
			signInPage(),
			callback({
				url: `${redirect_uri}?${query({ error: 'redirect_uri_mismatch', error_description: 'The redirect_uri MUST match the registered callback URL for this application.', state })}`,
				status: 200,
				location: '',
				html: page('x')
			})
		],
		first: 'cause.redirect_uri',
		says: /MUST match/
	},
	{
		name: 'GitHub, redirect URI of another application, as a page',
		recorder: 'Firefox',
		entries: [
			begin(),
			errorPage(
				'<h3>Be careful!</h3><p>The <code>redirect_uri</code> is not associated with this application.</p><p>The application might be misconfigured.</p>',
				200
			)
		],
		first: 'cause.redirect_uri',
		says: /not associated/
	},
	{
		name: 'LinkedIn, redirect URI',
		recorder: 'Firefox',
		entries: [
			begin(),
			errorPage(
				'<h1>Bummer, something went wrong.</h1><p>The redirect_uri does not match the registered value</p>',
				200
			)
		],
		first: 'cause.redirect_uri',
		says: /does not match/
	},
	{
		name: 'Discord, redirect URI, in the API of its page',
		recorder: 'Chrome',
		entries: [
			begin(),
			authorize({ status: 200, location: '', html: '<div id="app-mount"></div>' }),
			{
				at: 1,
				url: `https://id.meridian.example/api/v9/oauth2/authorize?${asked()}`,
				status: 400,
				headers: { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
				body: {
					message: 'Invalid Form Body',
					code: 50035,
					errors: {
						redirect_uri: {
							_errors: [{ code: 'REDIRECT_URI_NOT_WHITELISTED', message: 'Redirect URI not supported by client' }]
						}
					}
				}
			}
		],
		first: 'cause.redirect_uri'
	}
];
