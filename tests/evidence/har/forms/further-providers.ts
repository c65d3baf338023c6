import { authorize, begin, type Form } from './form.ts';
import { call, denied, failedExchange, refresh, signedInAt } from './further-parts.ts';

/** Errors of further providers, in the words that they document or that public reports quote. */
export const furtherForms: readonly Form[] = [
	{
		name: 'Cognito, a scope that the client may not have',
		recorder: 'Chrome',
		entries: denied({ error: 'invalid_request', error_description: 'invalid_scope' }),
		first: 'cause.scope'
	},
	{
		name: 'Cognito, a trigger of the pool rejects the user',
		recorder: 'Firefox',
		entries: denied({
			error: 'invalid_request',
			error_description: 'PreAuthentication failed with error Not on the list.'
		}),
		first: 'cause.rejected',
		never: /parameter is missing/
	},
	{
		name: 'Zoom, a wrong code',
		recorder: 'mitmproxy',
		entries: failedExchange(400, { reason: 'Invalid authorization code', error: 'invalid_request' }),
		first: 'cause.grant'
	},
	{
		name: 'Zoom, a scope is missing, with status 400',
		recorder: 'Charles',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/v2/users/me', 400, {
				code: 4711,
				message: 'Invalid access token, does not contain scopes:[user:read:user].'
			})
		],
		first: 'cause.missing_scope',
		says: /user:read:user/
	},
	{
		name: 'Dropbox, a scope is missing, with status 401',
		recorder: 'Playwright',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/2/files/list_folder', 401, {
				error_summary: 'missing_scope/.',
				error: { '.tag': 'missing_scope', required_scope: 'files.metadata.read' }
			})
		],
		first: 'cause.missing_scope'
	},
	{
		name: 'Dropbox, another verifier',
		recorder: 'Fiddler',
		entries: failedExchange(400, { error: 'invalid_grant', error_description: 'invalid code verifier' }),
		first: 'cause.pkce'
	},
	{
		name: 'LinkedIn, a sentence that lists three causes',
		recorder: 'mitmproxy',
		entries: failedExchange(400, {
			error: 'invalid_request',
			error_description:
				'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired. Or external member binding exists'
		}),
		first: 'cause.grant',
		never: /redirect URI differs|PKCE fails/
	},
	{
		name: 'LinkedIn, a scope of another product',
		recorder: 'Safari',
		entries: denied({
			error: 'unauthorized_scope_error',
			error_description: 'Scope "r_emailaddress" is not authorized for your application'
		}),
		first: 'cause.scope'
	},
	{
		name: 'X, a wrong code',
		recorder: 'Fiddler',
		entries: failedExchange(400, {
			error: 'invalid_request',
			error_description: 'Value passed for the authorization code was invalid.'
		}),
		first: 'cause.grant'
	},
	{
		name: 'X, a token of the application where one of a user is needed',
		recorder: 'mitmproxy',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/2/users/me', 403, {
				title: 'Unsupported Authentication',
				detail:
					'Authenticating with OAuth 2.0 Application-Only is forbidden for this endpoint.  Supported authentication types are [OAuth 1.0a User Context, OAuth 2.0 User Context].',
				type: 'https://api.meridian.example/2/problems/unsupported-authentication',
				status: 403
			})
		],
		first: 'cause.call_forbidden',
		never: /permission is missing|Request the scope/
	},
	{
		name: 'Shopify, redirect URI',
		recorder: 'Chrome',
		entries: [
			begin(),
			authorize({
				status: 400,
				location: '',
				html: '<html><body><h1>Oauth error invalid_request: The redirect_uri is not whitelisted</h1></body></html>'
			})
		],
		first: 'cause.redirect_uri',
		says: /whitelisted/
	},
	{
		name: 'Shopify, a used code, as a page at the token endpoint',
		recorder: 'Charles',
		entries: failedExchange(
			400,
			'<html><body>Oauth error invalid_request: The authorization code was not found or was already used</body></html>',
			{ responseHeaders: { 'content-type': 'text/html' } }
		),
		first: 'cause.grant'
	},
	{
		name: 'Shopify, a scope of the shop is missing',
		recorder: 'Firefox',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/admin/api/2026-10/orders.json', 403, {
				errors: '[API] This action requires merchant approval for read_orders scope.'
			})
		],
		first: 'cause.missing_scope',
		says: /read_orders/
	},
	{
		name: 'HubSpot, a code of another redirect URI',
		recorder: 'mitmproxy',
		entries: failedExchange(400, {
			status: 'BAD_AUTH_CODE',
			message: 'missing or unknown auth code',
			correlationId: '5f1c3a52-1111-4d6e-9d2e-0a1b2c3d4e5f'
		}),
		first: 'cause.grant'
	},
	{
		name: 'HubSpot, a wrong secret',
		recorder: 'mitmproxy',
		entries: failedExchange(400, { status: 'BAD_CLIENT_SECRET', message: 'missing or invalid client secret' }),
		first: 'cause.client'
	},
	{
		name: 'HubSpot, an expired token, with a category',
		recorder: 'Charles',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/crm/v3/objects/contacts', 401, {
				status: 'error',
				message: 'The OAuth token used to make this call expired 12 minute(s) ago.',
				category: 'EXPIRED_AUTHENTICATION'
			})
		],
		first: 'cause.token_rejected',
		says: /expired 12 minute/
	},
	{
		name: 'PayPal, insufficient permissions',
		recorder: 'Fiddler',
		entries: [
			...signedInAt,
			call('https://api.meridian.example/v1/reporting/transactions', 403, {
				name: 'NOT_AUTHORIZED',
				message: 'Authorization failed due to insufficient permissions.',
				debug_id: 'f1a2b3c4d5'
			})
		],
		first: 'cause.missing_scope'
	},
	{
		name: 'Okta, a policy rejects the sign-in',
		recorder: 'Chrome with sensitive data',
		entries: denied({
			error: 'access_denied',
			error_description: 'Policy evaluation failed for this request, please check the policy configurations.'
		}),
		first: 'cause.account',
		never: /pressed Cancel/
	},
	{
		name: 'Auth0, an audience that does not exist',
		recorder: 'Chrome',
		entries: denied({ error: 'access_denied', error_description: 'Service not found: https://api.fabrikam.example' }),
		first: 'cause.request',
		says: /Service not found/,
		never: /pressed Cancel/
	},
	{
		name: 'Auth0, an action wants a verified address',
		recorder: 'Firefox',
		entries: denied({ error: 'access_denied', error_description: 'Please verify your email before logging in.' }),
		first: 'cause.account',
		never: /pressed Cancel/
	},
	{
		name: 'Keycloak, user information without openid',
		recorder: 'Playwright',
		entries: [
			...signedInAt,
			call('https://id.meridian.example/realms/x/protocol/openid-connect/userinfo', 403, {
				error: 'insufficient_scope',
				error_description: 'Missing openid scope'
			})
		],
		first: 'cause.missing_scope'
	},
	{
		name: 'Keycloak, the session of a refresh has ended',
		recorder: 'mitmproxy',
		entries: [...signedInAt, refresh(400, { error: 'invalid_grant', error_description: 'Session not active' })],
		first: 'cause.grant'
	}
];
