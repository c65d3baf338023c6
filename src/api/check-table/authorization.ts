import type { CheckRows } from './check-row.ts';

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
		causes: ['duplicate_parameter', 'malformed_parameter'],
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
