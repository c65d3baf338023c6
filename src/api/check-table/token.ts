import { damagedValue, type CheckRows } from './check-row.ts';

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
