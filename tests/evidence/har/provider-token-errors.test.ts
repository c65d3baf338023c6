import { expect, test } from 'vitest';
import { readHar } from '#evidence/har/read-har.ts';
import { authorize, callback, rejected } from './forms/form.ts';
import { recordedBy } from './recorders.ts';
import type { MadeEntry } from './make-har.ts';

// Errors in the words of providers, by their documentation and public reports. All other values are invented.

function firstCause(har: string): string | undefined {
	const reading = readHar(har);
	if (reading.kind !== 'read') throw new Error(reading.error);
	return reading.findings.find(({ state }) => state === 'failed')?.id;
}

const tokens: readonly (readonly [
	provider: string,
	cause: string,
	status: number,
	body: object | string,
	more: Partial<MadeEntry>
])[] = [
	['404', 'wrong_address', 404, 'Not Found', {}],
	['405', 'wrong_address', 405, {}, {}],
	['html 404', 'wrong_address', 404, '', { html: '<h1>Not found</h1>' }],
	[
		'okta api',
		'client',
		401,
		{
			errorCode: 'invalid_client',
			errorSummary: "Invalid value for 'client_id' parameter.",
			errorLink: 'invalid_client',
			errorId: 'oaex',
			errorCauses: []
		},
		{}
	],
	['okta E11', 'client', 401, { errorCode: 'E0000011', errorSummary: 'Invalid token provided', errorId: 'oaexy' }, {}],
	['discord', 'grant', 400, { error: 'invalid_grant', error_description: 'Invalid "code" in request.' }, {}],
	[
		'discord redirect',
		'redirect_uri_token',
		400,
		{ error: 'invalid_grant', error_description: 'Invalid "redirect_uri" in request.' },
		{}
	],
	['spotify', 'client', 400, { error: 'invalid_client', error_description: 'Invalid client secret' }, {}],
	[
		'linkedin',
		'grant',
		400,
		{
			error: 'invalid_request',
			error_description:
				'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired. Or external member binding exists'
		},
		{}
	],
	['linkedin2', 'client', 401, { error: 'invalid_client', error_description: 'Client authentication failed' }, {}],
	[
		'github',
		'client',
		200,
		{
			error: 'incorrect_client_credentials',
			error_description: 'The client_id and/or client_secret passed are incorrect.'
		},
		{}
	],
	[
		'github form',
		'client',
		200,
		'error=incorrect_client_credentials&error_description=The+client_id+and%2For+client_secret+passed+are+incorrect.',
		{ responseHeaders: { 'content-type': 'application/x-www-form-urlencoded' } }
	],
	['salesforce', 'grant', 400, { error: 'invalid_grant', error_description: 'expired authorization code' }, {}],
	['salesforce2', 'client', 400, { error: 'invalid_client_id', error_description: 'client identifier invalid' }, {}],
	['twitch', 'client', 403, { status: 403, message: 'invalid client secret' }, {}],
	['twitch2', 'grant', 400, { status: 400, message: 'Invalid authorization code' }, {}],
	[
		'facebook exp',
		'grant',
		400,
		{
			error: {
				message: 'This authorization code has expired.',
				type: 'OAuthException',
				code: 100,
				error_subcode: 36007
			}
		},
		{}
	],
	[
		'facebook sec',
		'client',
		400,
		{ error: { message: 'Error validating client secret.', type: 'OAuthException', code: 1 } },
		{}
	],
	['slack', 'client', 200, { ok: false, error: 'invalid_client_id' }, {}],
	['apple', 'grant', 400, { error: 'invalid_grant', error_description: 'The code has already been used.' }, {}],
	[
		'shopify',
		'grant',
		400,
		{ error: 'invalid_request', error_description: 'The authorization code was not found or was already used' },
		{}
	],
	['zoom', 'grant', 400, { reason: 'Invalid authorization code', error: 'invalid_request' }, {}],
	['zitadel', 'grant', 400, { error: 'invalid_grant', error_description: 'invalid code' }, {}],
	[
		'hydra',
		'grant',
		400,
		{
			error: 'invalid_grant',
			error_description:
				'The provided authorization grant ... is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client. The authorization code has already been used.'
		},
		{}
	],
	['cognito', 'grant', 400, { error: 'invalid_grant' }, {}],
	['cognito2', 'client', 400, { error: 'invalid_client', error_description: 'invalid_client_secret' }, {}],
	[
		'entra secret',
		'client',
		401,
		{
			error: 'invalid_client',
			error_description: 'AADSTS7000215: Invalid client secret provided.',
			error_codes: [7000215]
		},
		{}
	],
	[
		'entra code expired',
		'grant',
		400,
		{
			error: 'invalid_grant',
			error_description: 'AADSTS70008: The provided authorization code or refresh token has expired due to inactivity.',
			error_codes: [70008]
		},
		{}
	],
	[
		'entra no verifier',
		'pkce',
		400,
		{ error: 'invalid_grant', error_description: 'AADSTS501481: The Code_Verifier does not match' },
		{}
	],
	['google', 'grant', 400, { error: 'invalid_grant', error_description: 'Bad Request' }, {}],
	[
		'google refresh',
		'grant',
		400,
		{ error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
		{}
	],
	[
		'google mismatch',
		'redirect_uri_token',
		400,
		{ error: 'redirect_uri_mismatch', error_description: 'Bad Request' },
		{}
	],
	['x', 'client', 401, { error: 'unauthorized_client', error_description: 'Missing valid authorization header' }, {}],
	[
		'hubspot',
		'grant',
		400,
		{ status: 'BAD_AUTH_CODE', message: 'missing or unknown auth code', correlationId: 'abc' },
		{}
	],
	[
		'hubspot2',
		'redirect_uri_token',
		400,
		{ status: 'MISMATCH_REDIRECT_URI_AUTH_CODE', message: 'redirect_uri does not match' },
		{}
	],
	[
		'google reauthentication',
		'interaction',
		400,
		{
			error: 'invalid_grant',
			error_subtype: 'invalid_rapt',
			error_description: 'reauth related error (invalid_rapt)'
		},
		{}
	],
	['keycloak user', 'account', 400, { error: 'invalid_grant', error_description: 'User disabled' }, {}],
	['salesforce user', 'account', 400, { error: 'invalid_grant', error_description: 'inactive user' }, {}],
	['salesforce address', 'account', 400, { error: 'invalid_grant', error_description: 'ip restricted' }, {}],
	['salesforce rate', 'rate_limit', 400, { error: 'invalid_grant', error_description: 'login rate exceeded' }, {}],
	[
		'a refresh that is not enabled',
		'grant_type',
		400,
		{
			error: 'unauthorized_client',
			error_description: 'The client is not authorized to use the refresh_token grant'
		},
		{}
	],
	[
		'a flow that is off',
		'grant_type',
		400,
		{ error: 'unauthorized_client', error_description: 'Authorization code flow is disabled' },
		{}
	],
	[
		'entra, a missing field',
		'request',
		400,
		{
			error: 'invalid_request',
			error_description: "AADSTS90014: The required field 'code' is missing from the credential."
		},
		{}
	],
	[
		'a missing parameter',
		'request',
		400,
		{ error: 'invalid_request', error_description: 'Missing parameter: code' },
		{}
	],
	['500', 'provider_failed', 500, 'oops', {}],
	['503', 'provider_failed', 503, '', { html: '<h1>busy</h1>' }]
];

test.each(tokens)('a token endpoint of %s means %s', (_, cause, status, body, more) => {
	expect(firstCause(recordedBy('mitmproxy', [authorize(), callback(), rejected(status, body, more)]))).toBe(
		`cause.${cause}`
	);
});
