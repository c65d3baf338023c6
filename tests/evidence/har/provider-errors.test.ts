import { describe, expect, test } from 'vitest';
import { explainError, type ErrorPlace } from '#evidence/har/findings/explain-error.ts';
import { wordsOf } from '#evidence/har/findings/finding-words.ts';
import { providerErrors } from '#evidence/har/providers/provider-errors.ts';

describe('the table of facts', () => {
	test('has a public source and a day for each row, and a cause with words', () => {
		expect(providerErrors.length).toBeGreaterThan(70);
		for (const { name, source, read, cause, provider } of providerErrors) {
			expect(new URL(source).protocol, name).toBe('https:');
			expect(read).toMatch(/^20\d\d-\d\d-\d\d$/);
			expect(provider).not.toBe('');
			expect(wordsOf(cause).title).not.toBe('');
		}
	});

	test('says one thing about a name', () => {
		const causes = new Map<string, string>();
		for (const { name, cause } of providerErrors) {
			expect(causes.get(name) ?? cause, name).toBe(cause);
			causes.set(name, cause);
		}
	});
});

type Said = readonly [place: ErrorPlace, status: number, names: string, text: string, cause: string | undefined];

/** Errors in the words of providers and libraries. The words count before the code. */
const said: readonly Said[] = [
	[
		'authorization',
		400,
		'invalid_request',
		"redirect_uri did not match any of the client's registered redirect_uris",
		'redirect_uri'
	],
	['authorization', 400, 'invalid_redirect_uri', '', 'redirect_uri'],
	['authorization', 400, '', 'Callback URL mismatch.', 'redirect_uri'],
	[
		'authorization',
		400,
		'invalid_client',
		'Invalid redirect: https://app.example must match one of the configured values',
		'redirect_uri'
	],
	['authorization', 302, 'redirect_mismatch', 'Parameter redirect_uri does not match registered URI', 'redirect_uri'],
	['authorization', 302, 'invalid_request', 'PKCE is required for this client', 'pkce_required'],
	['authorization', 302, 'invalid_request', 'Missing parameter: code_challenge_method', 'pkce_required'],
	[
		'authorization',
		302,
		'unauthorized_client',
		'Client is not allowed to initiate browser login with given response_type.',
		'grant_type'
	],
	['authorization', 302, 'access_denied', 'The user denied the request', 'denied'],
	['authorization', 302, 'access_denied', '', 'denied'],
	['authorization', 302, 'user_cancelled_login', 'The user canceled LinkedIn login', 'denied'],
	['authorization', 302, 'access_denied', 'User is not assigned to the client application.', 'account'],
	['authorization', 302, 'invalid_scope', 'The client is not allowed to request this', 'scope'],
	['authorization', 302, 'login_required', '', 'session'],
	['authorization', 302, 'server_error', '', 'provider_failed'],
	['authorization', 302, 'temporarily_unavailable', '', 'provider_failed'],
	['authorization', 302, 'invalid_request', '', 'request'],
	['authorization', 302, 'invalid_request', 'Something odd happened', undefined],
	['authorization', 400, 'E0000007', 'Not found', undefined],
	[
		'token',
		400,
		'invalid_grant',
		"The 'redirect_uri' does not match the redirection URI used in the authorization request.",
		'redirect_uri_token'
	],
	['token', 400, 'redirect_uri_mismatch', 'Bad Request', 'redirect_uri_token'],
	['token', 400, 'invalid_grant', 'PKCE verification failed: Invalid code verifier', 'pkce'],
	['token', 400, 'invalid_grant', 'Failed to verify code verifier', 'pkce'],
	['token', 401, 'invalid_client', 'Client authentication failed', 'client'],
	['token', 401, 'unauthorized_client', 'Invalid client or Invalid client credentials', 'client'],
	['token', 400, 'unauthorized_client', 'Grant type not allowed for this client', 'grant_type'],
	['token', 400, 'unauthorized_client', '', 'grant_type'],
	['token', 401, 'access_denied', 'Unauthorized', 'client'],
	['token', 403, 'access_denied', '', undefined],
	['token', 400, 'invalid_request', 'Invalid client secret', 'client'],
	['token', 400, 'invalid_grant', '', 'grant'],
	['token', 400, 'invalid_grant', 'Token has been expired or revoked.', 'grant'],
	['token', 400, 'invalid_request', 'The authorization code has expired', 'grant'],
	['token', 400, 'bad_refresh_token', '', 'grant'],
	['token', 429, 'too_many_requests', '', 'rate_limit'],
	['token', 403, 'mfa_required', 'Multifactor authentication required', 'interaction'],
	['token', 400, 'unsupported_grant_type', '', 'grant_type'],
	['token', 400, 'authorization_pending', '', 'works'],
	['token', 400, 'use_dpop_nonce', 'Authorization server requires nonce in DPoP proof', 'works']
];

test.each(said)('at the %s endpoint, %i %s %j', (place, status, name, text, cause) => {
	const found = explainError({ names: name === '' ? [] : [name], text }, place, status);
	expect(found).toBe(cause === undefined || cause === 'works' ? cause : `cause.${cause}`);
});
