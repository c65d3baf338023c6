/** The causes of each check that can fail for several. A check with one cause has none here. */
export const causes = {
	'account.changed': ['no_access', 'unknown_action'],
	'auth.client_known': ['duplicate_parameter', 'empty_parameter', 'missing_parameter', 'unknown_client'],
	'auth.code_challenge_is_s256': ['malformed_challenge', 'missing_challenge', 'not_s256'],
	'auth.parameters_are_valid': ['duplicate_parameter', 'malformed_parameter'],
	'auth.query_is_valid': ['state_too_long', 'too_many_parameters'],
	'auth.redirect_uri_registered': ['duplicate_parameter', 'empty_parameter', 'missing_parameter', 'not_registered'],
	'auth.request_is_new': ['completed', 'other_browser', 'redirect_uri_removed', 'unknown_interaction'],
	'auth.response_type_is_code': ['missing_parameter', 'unsupported_value'],
	'auth.scope_known': ['malformed_scope', 'missing_parameter', 'unknown_scope'],
	'access_token.owners_exist': ['account_deleted', 'application_deleted'],
	'access_token.sent_once': ['bearer_scheme', 'malformed_token', 'missing_token', 'other_scheme', 'sent_twice'],
	'character.not_a_test_card': ['simulated_error', 'too_many_delayed'],
	'consent.not_declined_by_test_account': ['completed'],
	'control.access_granted': ['key_missing', 'key_wrong'],
	'csrf.form_from_this_browser': ['broken_field', 'not_a_form', 'other_session'],
	'interaction.decided_by_prompted_user': ['completed', 'other_user'],
	'interaction.form_is_valid': ['broken_field', 'not_a_form'],
	'interaction.pending_in_this_browser': ['other_browser', 'redirect_uri_removed', 'unknown_interaction'],
	'rate_limit.not_exceeded': ['now_blacklisted', 'over_limit'],
	'revoke.parameters_present': ['duplicate_parameter', 'missing_parameter'],
	'token.client_authenticated': [
		'client_ids_differ',
		'credentials_in_header',
		'credentials_sent_twice',
		'missing_client_id',
		'missing_secret',
		'unknown_client',
		'wrong_secret'
	],
	'token.code_exchanged': ['access_revoked', 'account_deleted', 'already_used', 'earlier_exchange_failed', 'unknown'],
	'token.code_not_used': ['already_used', 'earlier_exchange_failed'],
	'token.code_verifier_matches': [
		'missing_verifier',
		'unexpected_verifier',
		'verifier_is_challenge',
		'verifier_too_short',
		'wrong_verifier'
	],
	'token.form_is_valid': [
		'content_encoding',
		'duplicate_field',
		'malformed_field',
		'not_utf8',
		'too_many_fields',
		'wrong_charset',
		'wrong_content_type'
	],
	'token.grant_active': ['access_revoked', 'account_deleted'],
	'token.grant_type_supported': ['missing_field', 'unknown_grant_type', 'wrong_letter_case'],
	'token.redirect_uri_matches': ['different', 'missing_field'],
	'token.refresh_token_active': ['access_revoked', 'account_deleted'],
	'token.scope_not_widened': ['malformed_scope', 'not_granted']
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The causes that several checks have, each with one meaning. */
export const sharedCauses = [
	'body_too_large',
	'internal_error',
	'other_site',
	'sandbox_full',
	'store_unavailable',
	'too_many_attempts'
] as const;

/** Why a check failed: stable, for programs and for explanations. */
export type Cause = (typeof causes)[keyof typeof causes][number] | (typeof sharedCauses)[number];
