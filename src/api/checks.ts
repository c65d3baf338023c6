/** A named step of a request, which passes, responds or fails. */
type CheckRow = {
	/** What holds if the check passed, for readers of a trace. */
	readonly title: string;
	/** The section that requires the check: "2.3" or "RFC 6749 §5.2". Empty if none does. */
	readonly section: string;
	/** Why it failed, for checks that fail for several causes. */
	readonly causes?: readonly string[];
	/** It rejects no request. */
	readonly cannotFail?: true;
};

/** Every check of the service by its id, `<endpoint or area>.<snake_case>`. Ids and causes are stable, programs refer to them. */
export const checks = {
	'address.not_blacklisted': { title: 'The address is not blacklisted', section: '3.3' },
	'address.header_is_valid': { title: 'The address header names a virtual address', section: '8.2' },
	'cors.origin_compared': {
		title: 'The origin of a script is compared with registered redirect URIs',
		section: 'RFC 9700 §2.6',
		cannotFail: true
	},
	'fault.not_injected': { title: 'Faults are applied', section: '' },
	'fault.rate_limit_not_injected': { title: 'Rate limit faults are applied', section: '' },
	'fault.error_not_injected': { title: 'No error response is injected', section: '' },
	'fault.not_injected_after_commit': { title: 'Faults are applied after the request was handled', section: '' },
	'rate_limit.not_exceeded': {
		title: 'The request is within the rate limit',
		section: '8',
		causes: ['now_blacklisted', 'over_limit']
	},
	'auth.method_is_get': { title: 'The method is GET', section: '4' },
	'auth.query_is_valid': {
		title: 'The query can be read',
		section: '2.1',
		causes: ['state_too_long', 'too_many_parameters']
	},
	'auth.client_known': {
		title: 'client_id belongs to an application',
		section: '2.1',
		causes: ['duplicate_parameter', 'empty_parameter', 'missing_parameter', 'unknown_client']
	},
	'auth.redirect_uri_registered': {
		title: 'The application registered redirect_uri',
		section: '2.1',
		causes: ['duplicate_parameter', 'empty_parameter', 'missing_parameter', 'not_registered']
	},
	'auth.parameters_are_valid': {
		title: 'No parameter was sent twice or is malformed',
		section: 'RFC 6749 §3.1',
		causes: ['duplicate_parameter', 'malformed_parameter']
	},
	'auth.session_loaded': { title: 'The session of the browser is loaded', section: '5.2', cannotFail: true },
	'auth.consent_required': { title: 'Consent required: new permissions', section: '3.1', cannotFail: true },
	'auth.user_prompted': { title: 'Sign-in or consent page shown', section: '5.2' },
	'auth.response_type_is_code': {
		title: 'response_type is code',
		section: '2.1',
		causes: ['missing_parameter', 'unsupported_value']
	},
	'auth.scope_known': {
		title: 'Every requested permission exists',
		section: '2.1',
		causes: ['malformed_scope', 'missing_parameter', 'unknown_scope']
	},
	'auth.access_type_is_valid': { title: 'access_type is online or offline', section: '2.1' },
	'auth.code_challenge_is_s256': {
		title: 'code_challenge, if sent, uses S256',
		section: 'RFC 7636 §4.3',
		causes: ['malformed_challenge', 'missing_challenge', 'not_s256']
	},
	'auth.request_is_new': {
		title: 'The request is new, or continues a pending authorization of this browser',
		section: '5.2',
		causes: ['completed', 'other_browser', 'redirect_uri_removed', 'unknown_interaction']
	},
	'session.loaded': { title: 'The session of the browser is loaded', section: '5.2', cannotFail: true },
	'csrf.form_from_this_browser': {
		title: 'The form was sent from a page of this service, in this browser',
		section: 'RFC 6749 §10.12',
		causes: ['broken_field', 'not_a_form', 'other_session']
	},
	'interaction.method_is_post': { title: 'The method is POST', section: '4' },
	'interaction.same_origin': { title: 'The form was sent from a page of this service', section: 'RFC 6749 §10.12' },
	'interaction.form_is_valid': {
		title: 'The form can be read',
		section: '5.2',
		causes: ['broken_field', 'not_a_form']
	},
	'interaction.pending_in_this_browser': {
		title: 'The form belongs to a pending authorization of this browser',
		section: 'RFC 6749 §10.12',
		causes: ['other_browser', 'redirect_uri_removed', 'unknown_interaction']
	},
	'interaction.password_is_correct': { title: 'User name and password, if sent, are correct', section: '5.2' },
	'interaction.session_started': { title: 'Signed in', section: '5.2', cannotFail: true },
	'interaction.decided_by_prompted_user': {
		title: 'The decision is that of the user who was asked',
		section: '3.1',
		causes: ['completed', 'other_user']
	},
	'consent.not_declined_by_test_account': {
		title: 'The user is not the test account that always declines',
		section: '7',
		causes: ['completed']
	},
	'account.method_allowed': { title: 'The method is GET or POST', section: '5.6' },
	'account.shown': { title: 'The account settings are shown', section: '5.6', cannotFail: true },
	'account.changed': { title: 'The requested change is made', section: '3.1', causes: ['no_access', 'unknown_action'] },
	'token.method_is_post': { title: 'The method is POST', section: '4' },
	'token.form_is_valid': {
		title: 'The body is a form, and no field was sent twice',
		section: '2.3',
		causes: [
			'content_encoding',
			'duplicate_field',
			'malformed_field',
			'not_utf8',
			'too_many_fields',
			'wrong_charset',
			'wrong_content_type'
		]
	},
	'token.client_authenticated': {
		title: 'client_id and client_secret belong to an application',
		section: '2.3',
		causes: [
			'client_ids_differ',
			'credentials_in_header',
			'credentials_sent_twice',
			'missing_client_id',
			'missing_secret',
			'unknown_client',
			'wrong_secret'
		]
	},
	'token.grant_type_supported': {
		title: 'grant_type is supported',
		section: '2.3',
		causes: ['missing_field', 'unknown_grant_type', 'wrong_letter_case']
	},
	'token.code_present': { title: 'The code was sent', section: '2.3' },
	'token.code_known': { title: 'The code was issued by this service', section: '3.1' },
	'token.code_issued_to_client': { title: 'The code was issued to this client', section: 'RFC 6749 §4.1.3' },
	'token.code_not_used': {
		title: 'The code was not used before',
		section: 'RFC 6749 §4.1.2',
		causes: ['already_used', 'earlier_exchange_failed']
	},
	'token.code_not_expired': { title: 'The code has not expired', section: '3.1' },
	'token.redirect_uri_matches': {
		title: 'redirect_uri is that of the authorization request',
		section: 'RFC 6749 §4.1.3',
		causes: ['different', 'missing_field']
	},
	'token.redirect_uri_registered': { title: 'redirect_uri is still registered', section: '2.1' },
	'token.code_verifier_matches': {
		title: 'code_verifier matches the code_challenge',
		section: 'RFC 7636 §4.6',
		causes: ['missing_verifier', 'unexpected_verifier', 'verifier_is_challenge', 'verifier_too_short', 'wrong_verifier']
	},
	'token.grant_active': {
		title: 'The user has not revoked access',
		section: '3.1',
		causes: ['access_revoked', 'account_deleted']
	},
	'token.code_exchanged': {
		title: 'The code is consumed, and tokens are issued',
		section: '3.1',
		causes: ['access_revoked', 'account_deleted', 'already_used', 'earlier_exchange_failed', 'unknown']
	},
	'token.refresh_token_present': { title: 'The refresh token was sent', section: '4' },
	'token.refresh_token_known': {
		title: 'The refresh token was issued by this service and not revoked',
		section: '3.1'
	},
	'token.refresh_token_issued_to_client': {
		title: 'The refresh token was issued to this client',
		section: 'RFC 6749 §6'
	},
	'token.refresh_token_active': {
		title: 'The user has not revoked access',
		section: '3.1',
		causes: ['access_revoked', 'account_deleted']
	},
	'token.scope_not_widened': {
		title: 'The requested scope is part of what was granted',
		section: 'RFC 6749 §6',
		causes: ['malformed_scope', 'not_granted']
	},
	'token.refreshed': { title: 'An access token is issued', section: '3.1', cannotFail: true },
	'revoke.method_is_get': { title: 'The method is GET', section: '4' },
	'revoke.not_prefetched': { title: 'The request is no prefetch and no link preview', section: 'RFC 9110 §9.2.1' },
	'revoke.parameters_present': {
		title: 'token and client_id were sent once each',
		section: '4',
		causes: ['duplicate_parameter', 'missing_parameter']
	},
	'revoke.client_known': { title: 'client_id belongs to an application', section: '4' },
	'revoke.token_known': { title: 'The token is a refresh token of this service', section: '3.1' },
	'revoke.token_issued_to_client': { title: 'The token was issued to this client', section: 'RFC 7009 §2.1' },
	'revoke.token_active': { title: 'The token was not revoked before', section: '3.1' },
	'revoke.grant_revoked': { title: 'The grant and all its tokens are revoked', section: '3.1' },
	'access_token.sent_once': {
		title: 'One access token was sent, in the query or in the header',
		section: '5.3',
		causes: ['bearer_scheme', 'malformed_token', 'missing_token', 'other_scheme', 'sent_twice']
	},
	'access_token.known': { title: 'The access token was issued by this service and has not expired', section: '5.4' },
	'access_token.not_revoked': { title: 'The access token was not revoked', section: '3.1' },
	'access_token.owners_exist': {
		title: 'The application and the account of the token exist',
		section: '5.3',
		causes: ['account_deleted', 'application_deleted']
	},
	'character.method_is_get': { title: 'The method is GET', section: '4' },
	'character.scope_granted': { title: 'The token has a permission for this resource', section: '5.6' },
	'character.name_valid': { title: 'The path ends with one name', section: '4' },
	'character.not_a_test_card': {
		title: 'The character is not a test card',
		section: '',
		causes: ['simulated_error', 'too_many_delayed']
	},
	'character.exists': { title: 'The character exists', section: '4' },
	'ratelimits.method_is_get': { title: 'The method is GET', section: '4' },
	'ratelimits.returned': {
		title: 'The rate limit records of the address are returned',
		section: '2.5',
		cannotFail: true
	},
	'ratelimiting.method_is_get': { title: 'The method is GET', section: '8.5' },
	'ratelimiting.not_polled_too_often': { title: 'The address polls at most 60 times a minute', section: '8.5' },
	'ratelimiting.returned': {
		title: 'The rate limiting status of the address is returned',
		section: '8.5',
		cannotFail: true
	},
	'service.path_known': { title: 'The path exists', section: '4' },
	'sandbox.exists': { title: 'The sandbox exists', section: '' },
	'sandbox.unknown_ids_limited': { title: 'The address has not requested too many unknown sandboxes', section: '' },
	'control.request_handled': { title: 'The request is handled', section: '' },
	'control.access_granted': {
		title: 'The caller may control this sandbox',
		section: '',
		causes: ['key_missing', 'key_wrong']
	},
	'control.method_allowed': { title: 'The method is allowed', section: 'RFC 9110 §15.5.6' }
} as const satisfies Readonly<Record<string, CheckRow>>;

/** The causes that several checks have, each with one meaning. */
export const sharedCauses = [
	'body_too_large',
	'internal_error',
	'other_site',
	'sandbox_full',
	'store_unavailable',
	'too_many_attempts'
] as const;

type Checks = typeof checks;

export type CheckId = keyof Checks;

/** Why a check failed, by the id of the check. `never` for a check with one cause. */
export type CauseOf<Id extends CheckId> = Checks[Id] extends { readonly causes: readonly (infer Name extends string)[] }
	? Name
	: never;

export type SharedCause = (typeof sharedCauses)[number];

/** Why a check failed: stable, for programs and for explanations. */
export type Cause = { [Id in CheckId]: CauseOf<Id> }[CheckId] | SharedCause;
