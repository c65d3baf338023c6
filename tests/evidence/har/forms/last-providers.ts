import { allowed, authorize, begin, callback, exchange, fromPage, signInPage, type Form } from './form.ts';
import { call, denied, failedExchange, refresh, signedInAt } from './further-parts.ts';

/** Errors of the providers after the letter R, and forms that many have. */
export const lastForms: readonly Form[] = [
	{
		name: 'Salesforce, an application that the administrator blocked',
		recorder: 'Safari',
		entries: denied({ error: 'OAUTH_APP_BLOCKED', error_description: 'this app is blocked by admin' }),
		first: 'cause.account'
	},
	{
		name: 'Salesforce, an API that the organization does not have',
		recorder: 'mitmproxy',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/services/data/v64.0/query', 403, [
				{ message: 'The REST API is not enabled for this Organization.', errorCode: 'API_DISABLED_FOR_ORG' }
			])
		],
		first: 'cause.call_forbidden',
		never: /Request the scope/
	},
	{
		name: 'Google, an API that is not enabled in the project',
		recorder: 'Chrome with sensitive data',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/gmail/v1/users/me/messages', 403, {
				error: {
					code: 403,
					message: 'Gmail API has not been used in project 123456789012 before or it is disabled.',
					status: 'PERMISSION_DENIED',
					details: [{ reason: 'SERVICE_DISABLED', domain: 'googleapis.com' }]
				}
			})
		],
		first: 'cause.call_forbidden',
		never: /Request the scope/
	},
	{
		name: 'Apple, a code of another client',
		recorder: 'Fiddler',
		entries: failedExchange(400, {
			error: 'invalid_grant',
			error_description: 'client_id mismatch. The code was not issued to com.fabrikam.shop.'
		}),
		first: 'cause.grant'
	},
	{
		name: 'Apple, a wrong redirect URI',
		recorder: 'Safari',
		entries: [
			begin(),
			authorize({ status: 400, location: '', html: '<h1>invalid_request</h1><p>Invalid web redirect url.</p>' })
		],
		first: 'cause.redirect_uri'
	},
	{
		name: 'Atlassian, a refresh token that was replaced, with status 403',
		recorder: 'mitmproxy',
		entries: [
			...signedInAt,
			refresh(403, { error: 'unauthorized_client', error_description: 'refresh_token is invalid' })
		],
		first: 'cause.grant'
	},
	{
		name: 'Atlassian, a scope is missing, with status 401',
		recorder: 'Charles',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/ex/jira/11223344/rest/api/3/myself', 401, {
				code: 401,
				message: 'Unauthorized; scope does not match'
			})
		],
		first: 'cause.missing_scope'
	},
	{
		name: 'EVE Online, the token has not the scope',
		recorder: 'Playwright',
		entries: [
			...signedInAt,
			call('https://esi.meridian.example/latest/characters/90000001/wallet/', 403, {
				error: 'Token is not valid for scope: esi-wallet.read_character_wallet.v1'
			})
		],
		first: 'cause.missing_scope',
		says: /esi-wallet/
	},
	{
		name: 'EVE Online, a code that the service does not know',
		recorder: 'Fiddler',
		entries: failedExchange(400, { error: 'invalid_request', error_description: 'Authorization code not found.' }),
		first: 'cause.grant'
	},
	{
		name: 'Spotify, a user who is not registered for the application',
		recorder: 'Firefox',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/v1/me', 403, 'User not registered in the Developer Dashboard', {
				responseHeaders: { 'content-type': 'text/plain' }
			})
		],
		first: 'cause.call_forbidden',
		never: /Request the scope/
	},
	{
		name: 'Strava, a permission is missing, with status 401',
		recorder: 'Chrome with sensitive data',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/api/v3/athlete/activities', 401, {
				message: 'Authorization Error',
				errors: [{ resource: 'AccessToken', field: 'activity:read_permission', code: 'missing' }]
			})
		],
		first: 'cause.missing_scope'
	},
	{
		name: 'a page of Okta whose origin is not registered',
		recorder: 'Safari',
		entries: [
			signInPage(),
			callback({ status: 200, location: '', html: '<div id="root"></div>' }),
			exchange({ headers: { ...fromPage }, responseHeaders: { vary: 'Origin' } })
		],
		first: 'cause.cors'
	},
	{
		name: 'a page of Okta whose origin is registered',
		recorder: 'Firefox',
		entries: [
			signInPage(),
			callback({ status: 200, location: '', html: '<div id="root"></div>' }),
			exchange({ headers: { ...fromPage }, responseHeaders: allowed })
		],
		first: undefined,
		outcome: 'shown'
	},
	{
		name: 'Zoho, a wrong code, with status 200',
		recorder: 'mitmproxy',
		entries: failedExchange(200, { error: 'invalid_code' }),
		first: 'cause.grant'
	},
	{
		name: 'TikTok, an expired code, with status 200',
		recorder: 'Charles',
		entries: failedExchange(200, { error: 'invalid_grant', error_description: 'Authorization code is expired.' }),
		first: 'cause.grant'
	},
	{
		name: 'DocuSign, no user has consented',
		recorder: 'Fiddler',
		entries: failedExchange(400, { error: 'consent_required' }),
		first: 'cause.consent'
	},
	{
		name: 'Square, an unknown code',
		recorder: 'mitmproxy',
		entries: failedExchange(401, { message: 'Authorization code not found', type: 'not_found' }),
		first: 'cause.grant'
	},
	{
		name: 'Strava, redirect URI, as JSON in place of the page',
		recorder: 'Firefox',
		entries: [
			begin(),
			authorize({
				status: 400,
				location: '',
				body: { message: 'Bad Request', errors: [{ resource: 'Application', field: 'redirect_uri', code: 'invalid' }] }
			})
		],
		first: 'cause.redirect_uri'
	},
	{
		name: 'Figma, an invalid token, with status 403',
		recorder: 'Chrome with sensitive data',
		entries: [...signedInAt, call('https://api.meridian.example/v1/me', 403, { status: 403, err: 'Invalid token' })],
		first: 'cause.token_rejected',
		never: /Request the scope/
	},
	{
		name: 'Amazon, an expired token, with status 403',
		recorder: 'Playwright',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/orders/v0/orders', 403, {
				errors: [
					{
						code: 'Unauthorized',
						message: 'Access to requested resource is denied.',
						details: 'The access token you provided has expired.'
					}
				]
			})
		],
		first: 'cause.token_rejected',
		says: /has expired/
	},
	{
		name: 'Slack, an invalid token, with status 200',
		recorder: 'Charles',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/api/users.identity', 200, { ok: false, error: 'invalid_auth' })
		],
		first: 'cause.token_rejected'
	},
	{
		name: 'Notion, insufficient permissions',
		recorder: 'mitmproxy',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/v1/users', 403, {
				object: 'error',
				status: 403,
				code: 'restricted_resource',
				message: 'Insufficient permissions for this endpoint.'
			})
		],
		first: 'cause.missing_scope'
	},
	{
		name: 'Xero, a tenant that is not connected',
		recorder: 'Fiddler',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/api.xro/2.0/Invoices', 403, {
				Type: null,
				Title: 'Forbidden',
				Status: 403,
				Detail: 'AuthenticationUnsuccessful'
			})
		],
		first: 'cause.call_forbidden',
		never: /Request the scope/
	},
	{
		name: 'Twitch, a scope is missing, with status 401',
		recorder: 'Firefox',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/helix/channels/followers', 401, {
				error: 'Unauthorized',
				status: 401,
				message: 'Missing scope: moderator:read:followers'
			})
		],
		first: 'cause.missing_scope'
	},
	{
		name: 'a call that is forbidden without a word',
		recorder: 'Safari',
		entries: [...signedInAt, call('https://api.meridian.example/v1/things', 403, '')],
		first: 'cause.call_forbidden'
	},
	{
		name: 'a cursor is invalid, with status 400',
		recorder: 'Charles',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/v1/things', 400, { message: 'The page token is invalid.' })
		],
		first: undefined
	}
];
