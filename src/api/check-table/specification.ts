import { damagedValue, type CheckRows } from './check-row.ts';

/** Checks of any request: address, faults, limits, sessions, sandboxes and the control API. */
export const generalChecks = {
	'address.not_blacklisted': { reads: ['address'], responds: true, failed: true },
	'address.header_is_valid': { reads: ['X-Tollgate-Address'], failed: true },
	'cors.origin_compared': { reads: ['Origin'], responds: true, cannotFail: true },
	'fault.not_injected': { responds: true, failed: true },
	'fault.rate_limit_not_injected': { failed: true, mistakes: ['over_limit'] },
	'fault.error_not_injected': { responds: true, failed: true },
	'fault.not_injected_after_commit': { responds: true, failed: true },
	'fault.response_changed': { cannotFail: true },
	'pause.not_held': { cannotFail: true },
	'pause.released': { cannotFail: true },
	'rate_limit.not_exceeded': { reads: ['address'], causes: ['now_blacklisted', 'over_limit'] },
	'rate_limit.few_at_once': { reads: ['address'], failed: true },
	'session.loaded': { reads: ['Cookie'], cannotFail: true },
	'csrf.form_from_this_browser': {
		reads: ['Cookie', 'csrf_token'],
		causes: ['broken_field', 'not_a_form', 'other_session']
	},
	'service.path_known': { reads: ['path'], failed: true, causes: ['other_dialect'] },
	'sandbox.exists': { reads: ['path'], failed: true },
	'sandbox.unknown_ids_limited': { reads: ['address'], failed: true },
	'control.request_handled': { responds: true, failed: true },
	'control.access_granted': { reads: ['X-Tollgate-Key'], causes: ['key_missing', 'key_wrong'] },
	'control.method_allowed': { reads: ['method'], failed: true }
} as const satisfies CheckRows;

/** Checks of the authorization endpoint. */
export const authorizationChecks = {
	'auth.method_is_get': { reads: ['method'], failed: true },
	'auth.query_is_valid': { reads: ['state'], causes: ['state_too_long', 'too_many_parameters'] },
	'auth.form_is_valid': { causes: ['broken_field', 'not_a_form'] },
	'auth.form_sent_on': { reads: ['method'], responds: true, cannotFail: true },
	'auth.request_object_absent': {
		reads: ['request', 'request_uri', 'registration'],
		causes: ['registration', 'request_object', 'request_uri']
	},
	'auth.client_known': {
		reads: ['client_id'],
		causes: ['duplicate_parameter', 'empty_parameter', 'missing_parameter', 'unknown_client'],
		mistakes: ['unknown_client']
	},
	'auth.redirect_uri_registered': {
		reads: ['redirect_uri'],
		causes: ['duplicate_parameter', 'empty_parameter', 'missing_parameter', 'not_registered', 'out_of_band'],
		mistakes: ['redirect_scheme', 'redirect_case', 'redirect_slash', 'redirect_port']
	},
	'auth.parameters_are_valid': {
		causes: ['duplicate_parameter', 'malformed_parameter', 'missing_parameter'],
		mistakes: ['missing_state', 'duplicate_parameter']
	},
	'auth.session_loaded': { reads: ['Cookie'], cannotFail: true },
	'auth.consent_required': { reads: ['scope'], responds: true, cannotFail: true },
	'auth.user_prompted': { responds: true, failed: true },
	'auth.response_type_is_code': {
		reads: ['response_type'],
		causes: ['missing_parameter', 'unsupported_value'],
		mistakes: ['response_type_token']
	},
	'auth.response_mode_supported': { reads: ['response_mode'], causes: ['unsupported_value'] },
	'auth.scope_known': {
		reads: ['scope'],
		causes: ['malformed_scope', 'missing_parameter', 'unknown_scope'],
		mistakes: ['unknown_scope']
	},
	'auth.resource_is_uri': { reads: ['resource'], failed: true },
	'auth.access_type_is_valid': { reads: ['access_type'], failed: true },
	'auth.code_challenge_is_s256': {
		reads: ['code_challenge', 'code_challenge_method'],
		causes: ['malformed_challenge', 'missing_challenge', 'not_s256'],
		mistakes: ['plain_challenge']
	},
	'auth.openid_parameters_valid': {
		reads: ['scope', 'nonce', 'prompt', 'max_age', 'id_token_hint', 'login_hint'],
		causes: ['malformed_max_age', 'nonce_too_long', 'none_with_others', 'unknown_id_token', 'unknown_prompt']
	},
	'auth.no_page_needed': {
		reads: ['prompt', 'max_age', 'Cookie'],
		causes: ['login_required', 'consent_required', 'installed_application', 'no_navigation']
	},
	'auth.request_is_new': {
		reads: ['interaction'],
		responds: true,
		causes: ['completed', 'other_browser', 'redirect_uri_removed', 'unknown_interaction']
	}
} as const satisfies CheckRows;

/** Checks of the pages of an authorization, and of the account page. */
export const pageChecks = {
	'interaction.method_is_post': { reads: ['method'], failed: true },
	'interaction.same_origin': { reads: ['Origin'], failed: true },
	'interaction.form_is_valid': { causes: ['broken_field', 'not_a_form'] },
	'interaction.pending_in_this_browser': {
		reads: ['interaction'],
		causes: ['completed', 'other_browser', 'redirect_uri_removed', 'unknown_interaction']
	},
	'interaction.password_is_correct': { reads: ['username', 'password'], responds: true, failed: true },
	'interaction.session_started': { reads: ['username'], responds: true, cannotFail: true },
	'interaction.decided_by_prompted_user': { reads: ['decision'], responds: true, causes: ['completed', 'other_user'] },
	'consent.not_declined_by_test_account': { reads: ['username'], responds: 'error', causes: ['completed'] },
	'account.method_allowed': { reads: ['method'], failed: true },
	'account.shown': { responds: true, cannotFail: true },
	'account.changed': { reads: ['action'], responds: true, causes: ['no_access', 'unknown_action'] }
} as const satisfies CheckRows;

/** Checks of the token endpoint. */
export const tokenChecks = {
	'token.method_is_post': { reads: ['method'], failed: true, mistakes: ['method_get'] },
	'token.form_is_valid': {
		reads: ['Content-Type'],
		causes: [
			'content_encoding',
			'duplicate_field',
			'malformed_field',
			'not_utf8',
			'too_many_fields',
			'wrong_charset',
			'wrong_content_type'
		],
		mistakes: ['json_body']
	},
	'token.client_authenticated': {
		reads: ['client_id', 'client_secret', 'Authorization'],
		causes: [
			'assertion_required',
			'client_ids_differ',
			'credentials_in_header',
			'credentials_sent_twice',
			'malformed_header',
			'missing_client_id',
			'missing_secret',
			'not_form_encoded',
			'other_method',
			'other_scheme',
			'unknown_client',
			'wrong_secret'
		],
		mistakes: ['secret_of_other', 'http_basic']
	},
	'token.grant_type_supported': {
		reads: ['grant_type'],
		causes: ['missing_field', 'needs_secret', 'not_registered', 'unknown_grant_type', 'wrong_letter_case']
	},
	'token.resource_is_uri': { reads: ['resource'], failed: true },
	'token.resource_granted': { reads: ['resource'], setBy: 'resource', failed: true },
	'token.code_present': { reads: ['code'], failed: true },
	'token.code_known': {
		reads: ['code'],
		failed: true,
		causes: [...damagedValue, 'changed', 'cut', 'decoded_twice', 'not_decoded', 'plus_as_space']
	},
	'token.code_issued_to_client': { reads: ['code'], setBy: 'client_id', failed: true },
	'token.code_not_used': {
		reads: ['code'],
		causes: ['already_used', 'earlier_exchange_failed'],
		mistakes: ['code_twice']
	},
	'token.code_not_expired': { reads: ['code'], failed: true },
	'token.redirect_uri_matches': {
		reads: ['redirect_uri'],
		setBy: 'redirect_uri',
		causes: ['different', 'missing_field'],
		mistakes: ['other_redirect_uri']
	},
	'token.redirect_uri_registered': { reads: ['redirect_uri'], failed: true },
	'token.code_verifier_matches': {
		reads: ['code_verifier'],
		setBy: 'code_challenge',
		causes: [
			'missing_verifier',
			'nothing_proven',
			'unexpected_verifier',
			'verifier_characters',
			'verifier_is_challenge',
			'verifier_too_long',
			'verifier_too_short',
			'wrong_verifier'
		],
		mistakes: ['missing_verifier', 'wrong_verifier']
	},
	'token.grant_active': { causes: ['access_revoked', 'account_deleted'] },
	'token.code_exchanged': {
		responds: true,
		causes: ['access_revoked', 'account_deleted', 'already_used', 'earlier_exchange_failed', 'unknown']
	},
	'token.refresh_token_present': { reads: ['refresh_token'], failed: true },
	'token.refresh_token_known': {
		reads: ['refresh_token'],
		failed: true,
		causes: damagedValue,
		mistakes: ['access_token_as_refresh']
	},
	'token.refresh_token_issued_to_client': { reads: ['refresh_token'], setBy: 'client_id', failed: true },
	'token.refresh_token_not_used': { reads: ['refresh_token'], causes: ['already_used'] },
	'token.refresh_token_active': { causes: ['access_revoked', 'account_deleted'] },
	'token.scope_not_widened': {
		reads: ['scope'],
		setBy: 'scope',
		causes: ['malformed_scope', 'not_granted'],
		mistakes: ['wider_scope']
	},
	'token.refreshed': { responds: true, causes: ['already_used'] },
	'token.scope_without_user': { reads: ['scope'], causes: ['malformed_scope', 'needs_user', 'unknown_scope'] },
	'token.issued_to_client': { responds: true, cannotFail: true }
} as const satisfies CheckRows;

/** Checks of the revocation endpoint. */
export const revocationChecks = {
	'revoke.method_is_get': { reads: ['method'], failed: true },
	'revoke.not_prefetched': { failed: true },
	'revoke.parameters_present': {
		reads: ['token', 'client_id'],
		causes: ['duplicate_parameter', 'missing_parameter'],
		mistakes: ['missing_client']
	},
	'revoke.client_known': { reads: ['client_id'], failed: true },
	'revoke.token_known': { reads: ['token'], responds: true, failed: true, mistakes: ['access_token', 'revoked_twice'] },
	'revoke.token_issued_to_client': { reads: ['token'], setBy: 'client_id', failed: true, mistakes: ['wrong_client'] },
	'revoke.token_active': { reads: ['token'], failed: true },
	'revoke.access_token_revoked': { reads: ['token'], responds: true, cannotFail: true },
	'revoke.grant_revoked': { responds: true, failed: true }
} as const satisfies CheckRows;

/** Checks of resources, records, user info and rate limit records. */
export const resourceChecks = {
	'access_token.sent_once': {
		reads: ['Authorization', 'access_token'],
		causes: [
			'bearer_scheme',
			'empty_token',
			'malformed_token',
			'missing_token',
			'oauth_scheme',
			'other_scheme',
			'sent_twice',
			'token_in_query'
		],
		mistakes: ['token_in_query', 'bearer', 'token_twice', 'missing_token']
	},
	'access_token.known': {
		reads: ['Authorization', 'access_token'],
		failed: true,
		causes: damagedValue,
		mistakes: ['expired_token', 'unbound_proof']
	},
	'access_token.not_revoked': { reads: ['Authorization', 'access_token'], failed: true },
	'access_token.owners_exist': {
		reads: ['Authorization', 'access_token'],
		causes: ['account_deleted', 'application_deleted']
	},
	'access_token.for_this_resource': { reads: ['Authorization', 'path'], setBy: 'resource', causes: ['other_resource'] },
	'character.method_is_get': { reads: ['method'], failed: true },
	'character.scope_granted': { reads: ['Authorization', 'access_token'], failed: true },
	'character.name_valid': { reads: ['name'], failed: true },
	'character.not_a_test_card': { reads: ['name'], responds: 'error', causes: ['simulated_error', 'too_many_delayed'] },
	'character.exists': {
		reads: ['name'],
		responds: true,
		failed: true,
		causes: ['encoded_twice', 'plus_as_space'],
		mistakes: ['name_in_lower_case']
	},
	'records.method_allowed': { reads: ['method'], failed: true },
	'records.scope_granted': {
		reads: ['Authorization', 'access_token'],
		failed: true,
		causes: ['no_user'],
		mistakes: ['no_permission']
	},
	'records.query_valid': { reads: ['query'], failed: true, mistakes: ['unknown_filter', 'long_page'] },
	'records.listed': { responds: true, cannotFail: true },
	'records.exists': { reads: ['name'], responds: true, failed: true, mistakes: ['unknown_id'] },
	'records.body_valid': {
		reads: ['Content-Type', 'body'],
		failed: true,
		causes: ['not_json'],
		mistakes: ['unknown_field', 'form_body']
	},
	'records.created': { responds: true, failed: true },
	'userinfo.method_allowed': { reads: ['method'], failed: true },
	'userinfo.scope_granted': { reads: ['Authorization'], failed: true, causes: ['no_user'] },
	'userinfo.returned': { responds: true, cannotFail: true },
	'ratelimits.method_is_get': { reads: ['method'], failed: true },
	'ratelimits.returned': { reads: ['address'], responds: true, cannotFail: true },
	'ratelimiting.method_is_get': { reads: ['method'], failed: true },
	'ratelimiting.not_polled_too_often': { reads: ['address'], failed: true },
	'ratelimiting.returned': { reads: ['address'], responds: true, cannotFail: true }
} as const satisfies CheckRows;
