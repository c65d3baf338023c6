import type { Severity } from '#api/exam.ts';

/** What an error of a provider means to the developer of a client. */
type ErrorCause = {
	readonly codes: RegExp;
	readonly id: string;
	readonly title: string;
	readonly severity: Severity;
	readonly cause: string;
	readonly fix: string;
	readonly sections: readonly string[];
	/** It is part of a sign-in that works. */
	readonly isExpected?: true;
};

/** By error code. The first that fits counts. */
export const errorCauses: readonly ErrorCause[] = [
	{
		codes: /redirect_uri/,
		id: 'cause.redirect_uri',
		title: 'The redirect URI is not registered',
		severity: 2,
		cause:
			'The redirect_uri of the request differs from all that are registered: in scheme, host, port, path or a slash at its end.',
		fix: 'Register exactly the redirect_uri of the request, or send the registered one.',
		sections: ['RFC 6749 §3.1.2.4']
	},
	{
		codes: /^(?:invalid_client|incorrect_client_credentials|bad_client_secret|invalid_client_id|app_not_found)/,
		id: 'cause.client',
		title: 'The client is not accepted',
		severity: 2,
		cause:
			'The client_id is of another environment, the secret is wrong or has expired, or it is sent in another way than the provider expects.',
		fix: 'Compare client_id and secret with the registration. Try the other way of client authentication: HTTP Basic or form.',
		sections: ['RFC 6749 §5.2']
	},
	{
		codes:
			/^(?:invalid_grant|bad_verification_code|invalid_code|code_already_used|bad_refresh_token|invalid_refresh_token)/,
		id: 'cause.grant',
		title: 'The code or refresh token is not accepted',
		severity: 2,
		cause: 'It was used before, has expired or was revoked, or was issued to another client or redirect URI.',
		fix: 'Exchange each code once and at once. After invalid_grant of a refresh, sign in again.',
		sections: ['RFC 6749 §5.2']
	},
	{
		codes: /scope/,
		id: 'cause.scope',
		title: 'A scope is not accepted',
		severity: 2,
		cause: 'A scope is misspelled, separated in another way than the provider expects, or not allowed for this client.',
		fix: 'Compare the scopes with those of the registration.',
		sections: ['RFC 6749 §4.1.2.1']
	},
	{
		codes: /^(?:access_denied|user_denied|user_cancell?ed)/,
		id: 'cause.denied',
		title: 'Access was denied',
		severity: 3,
		cause: 'The user pressed Cancel, or a policy of the provider does not allow this user or application.',
		fix: 'Show that the sign-in was canceled, and offer to try again. Ask the administrator about policies.',
		sections: ['RFC 6749 §4.1.2.1']
	},
	{
		codes: /^(?:consent_required|interaction_required)/,
		id: 'cause.consent',
		title: 'Consent is required',
		severity: 2,
		cause:
			'The user or an administrator has not allowed these permissions yet, and the request did not let them decide.',
		fix: 'Send the request without prompt=none, or ask an administrator to consent.',
		sections: ['OpenID Connect Core §3.1.2.6']
	},
	{
		codes: /^(?:login_required|session_expired|cookie_missing)/,
		id: 'cause.session',
		title: 'The provider has no session of this browser',
		severity: 2,
		cause: 'The session has ended, or the browser blocks cookies of the provider, for example in a frame.',
		fix: 'Navigate the whole window to the provider. Do not renew tokens in a hidden frame.',
		sections: ['OpenID Connect Core §3.1.2.6']
	},
	{
		codes: /^pkce_required/,
		id: 'cause.pkce_required',
		title: 'The provider requires PKCE',
		severity: 2,
		cause: 'The authorization request has no code_challenge.',
		fix: 'Send a code_challenge with code_challenge_method=S256.',
		sections: ['RFC 7636 §4.4.1']
	},
	{
		codes: /^(?:unauthorized_client|unsupported_)/,
		id: 'cause.grant_type',
		title: 'The client may not use this flow',
		severity: 2,
		cause: 'The grant type or the response type is not enabled in the registration of the client.',
		fix: 'Enable it at the provider, or use response_type=code with grant_type=authorization_code.',
		sections: ['RFC 6749 §4.1.2.1']
	},
	{
		codes: /^use_dpop_nonce/,
		id: 'cause.dpop_nonce',
		title: 'A nonce is asked for',
		severity: 3,
		cause: 'The first DPoP request has no nonce of the server.',
		fix: 'Repeat the request with the nonce of the DPoP-Nonce header.',
		sections: ['RFC 9449 §8'],
		isExpected: true
	},
	{
		codes: /^(?:authorization_pending|slow_down)/,
		id: 'cause.pending',
		title: 'The user has not decided yet',
		severity: 3,
		cause: 'The device polls before the user decided.',
		fix: 'Wait for the interval.',
		sections: ['RFC 8628 §3.5'],
		isExpected: true
	},
	{
		codes: /^(?:temporarily_unavailable|server_error)/,
		id: 'cause.provider_failed',
		title: 'The provider failed',
		severity: 2,
		cause: 'An error of the provider, not of your client.',
		fix: 'Try again later, with growing pauses.',
		sections: ['RFC 6749 §4.1.2.1']
	},
	{
		codes: /^invalid_request/,
		id: 'cause.request',
		title: 'A parameter is missing or wrong',
		severity: 2,
		cause: 'A required parameter is missing, occurs twice, or has a value that the provider does not know.',
		fix: 'Compare the parameters with the documentation of the endpoint.',
		sections: ['RFC 6749 §4.1.2.1']
	}
];
