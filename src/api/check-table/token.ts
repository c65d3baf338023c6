import { damagedValue, type CheckRows } from './check-row.ts';

/** Checks of the token endpoint and the revocation endpoint. */
export const tokenChecks = {
	'token.method_is_post': {
		title: 'The method is POST',
		section: '4',
		standard: { section: 'RFC 6749 §3.2' },
		reads: ['method'],
		failed: 'wrong method'
	},
	'token.form_is_valid': {
		title: 'The body is a form, and no field was sent twice',
		section: '2.3',
		standard: { section: 'RFC 6749 §3.2' },
		reads: ['Content-Type'],
		causes: {
			content_encoding: 'compressed body',
			duplicate_field: 'field sent twice',
			malformed_field: 'malformed field',
			not_utf8: 'body is not UTF-8',
			too_many_fields: 'too many fields',
			wrong_charset: 'wrong charset',
			wrong_content_type: 'body is not a form'
		}
	},
	'token.client_authenticated': {
		title: 'client_id and client_secret belong to an application',
		section: '2.3',
		standard: { section: 'RFC 6749 §2.3.1', title: 'The client is authenticated, or is an installed application' },
		reads: ['client_id', 'client_secret', 'Authorization'],
		causes: {
			assertion_required: 'client with keys sent no assertion',
			client_ids_differ: 'two different client_ids',
			credentials_in_header: 'credentials in the header',
			credentials_sent_twice: 'credentials sent twice',
			malformed_header: 'malformed Authorization header',
			missing_client_id: 'client_id missing',
			missing_secret: 'client_secret missing',
			not_form_encoded: 'client_secret not form-encoded',
			other_method: 'another method than the registered one',
			other_scheme: 'unsupported scheme in the header',
			unknown_client: 'unknown client_id',
			wrong_secret: 'wrong client_secret'
		}
	},
	'token.grant_type_supported': {
		title: 'grant_type is supported',
		section: '2.3',
		standard: { section: 'RFC 6749 §4.1.3' },
		reads: ['grant_type'],
		causes: {
			missing_field: 'grant_type missing',
			needs_secret: 'grant for clients that keep a secret',
			not_registered: 'grant that the client did not register',
			unknown_grant_type: 'unknown grant_type',
			wrong_letter_case: 'grant_type in wrong letter case'
		}
	},
	'token.resource_is_uri': {
		title: 'Each resource is an absolute URI',
		section: 'RFC 8707 §2',
		reads: ['resource'],
		failed: 'resource is no absolute URI'
	},
	'token.resource_granted': {
		title: 'The resources are among those of the authorization request',
		section: 'RFC 8707 §2.2',
		reads: ['resource'],
		setBy: 'resource',
		failed: 'resource was not requested before'
	},
	'token.code_present': {
		title: 'The code was sent',
		section: '2.3',
		standard: { section: 'RFC 6749 §4.1.3' },
		reads: ['code'],
		failed: 'code missing'
	},
	'token.code_known': {
		title: 'The code was issued by this service',
		section: '3.1',
		standard: { section: 'RFC 6749 §4.1.3' },
		reads: ['code'],
		failed: 'unknown code',
		causes: {
			...damagedValue,
			changed: 'code was changed',
			cut: 'code was cut',
			decoded_twice: 'code was decoded twice',
			not_decoded: 'code was not decoded',
			plus_as_space: 'plus in the code became a space'
		}
	},
	'token.code_issued_to_client': {
		title: 'The code was issued to this client',
		section: 'RFC 6749 §4.1.3',
		reads: ['code'],
		setBy: 'client_id',
		failed: 'code of another application'
	},
	'token.code_not_used': {
		title: 'The code was not used before',
		section: 'RFC 6749 §4.1.2',
		reads: ['code'],
		causes: { already_used: 'code used twice', earlier_exchange_failed: 'code spent by a failed exchange' }
	},
	'token.code_not_expired': {
		title: 'The code has not expired',
		section: '3.1',
		standard: { section: 'RFC 6749 §4.1.2' },
		reads: ['code'],
		failed: 'code expired'
	},
	'token.redirect_uri_matches': {
		title: 'redirect_uri is that of the authorization request',
		section: 'RFC 6749 §4.1.3',
		reads: ['redirect_uri'],
		setBy: 'redirect_uri',
		causes: { different: 'different redirect_uri', missing_field: 'redirect_uri missing' }
	},
	'token.redirect_uri_registered': {
		title: 'redirect_uri is still registered',
		section: '2.1',
		standard: { section: 'RFC 6749 §4.1.3' },
		reads: ['redirect_uri'],
		failed: 'redirect_uri no longer registered'
	},
	'token.code_verifier_matches': {
		title: 'code_verifier matches the code_challenge',
		section: 'RFC 7636 §4.6',
		reads: ['code_verifier'],
		setBy: 'code_challenge',
		causes: {
			missing_verifier: 'code_verifier missing',
			nothing_proven: 'neither PKCE nor a secret',
			unexpected_verifier: 'unexpected code_verifier',
			verifier_characters: 'code_verifier with other characters',
			verifier_is_challenge: 'code_challenge sent as code_verifier',
			verifier_too_long: 'code_verifier too long',
			verifier_too_short: 'code_verifier too short',
			wrong_verifier: 'wrong code_verifier'
		}
	},
	'token.grant_active': {
		title: 'The user has not revoked access',
		section: '3.1',
		standard: { section: 'RFC 6749 §4.1.3' },

		causes: { access_revoked: 'access revoked', account_deleted: 'account deleted' }
	},
	'token.code_exchanged': {
		title: 'The code is consumed, and tokens are issued',
		section: '3.1',
		standard: { section: 'RFC 6749 §4.1.4' },
		responds: 'Tokens issued',
		causes: {
			access_revoked: 'access revoked',
			account_deleted: 'account deleted',
			already_used: 'code used twice',
			earlier_exchange_failed: 'code spent by a failed exchange',
			unknown: 'code deleted'
		}
	},
	'token.refresh_token_present': {
		title: 'The refresh token was sent',
		section: '4',
		standard: { section: 'RFC 6749 §6' },
		reads: ['refresh_token'],
		failed: 'refresh_token missing'
	},
	'token.refresh_token_known': {
		title: 'The refresh token was issued by this service and not revoked',
		section: '3.1',
		standard: { section: 'RFC 6749 §6' },
		reads: ['refresh_token'],
		failed: 'unknown or revoked refresh token',
		causes: damagedValue
	},
	'token.refresh_token_issued_to_client': {
		title: 'The refresh token was issued to this client',
		section: 'RFC 6749 §6',
		reads: ['refresh_token'],
		setBy: 'client_id',
		failed: 'refresh token of another application'
	},
	'token.refresh_token_not_used': {
		title: 'The refresh token was not used before',
		section: 'RFC 9700 §4.14.2',
		reads: ['refresh_token'],
		causes: { already_used: 'refresh token used twice' }
	},
	'token.refresh_token_active': {
		title: 'The user has not revoked access',
		section: '3.1',
		standard: { section: 'RFC 6749 §6' },

		causes: { access_revoked: 'access revoked', account_deleted: 'account deleted' }
	},
	'token.scope_not_widened': {
		title: 'The requested scope is part of what was granted',
		section: 'RFC 6749 §6',
		reads: ['scope'],
		setBy: 'scope',
		causes: { malformed_scope: 'malformed scope', not_granted: 'scope was not granted' }
	},
	'token.refreshed': {
		title: 'An access token is issued',
		section: '3.1',
		standard: { section: 'RFC 9700 §4.14.2', title: 'An access token is issued, and the refresh token is replaced' },
		responds: 'Access token issued',
		causes: { already_used: 'refresh token used twice' }
	},
	'token.scope_without_user': {
		title: 'The requested scope needs no user',
		section: 'RFC 6749 §4.4.2',
		reads: ['scope'],
		causes: {
			malformed_scope: 'malformed scope',
			needs_user: 'permission that a user must give',
			unknown_scope: 'unknown scope'
		}
	},
	'token.issued_to_client': {
		title: 'An access token is issued to the client itself',
		section: 'RFC 6749 §4.4.3',
		responds: 'Access token issued',
		cannotFail: true
	},
	'revoke.method_is_get': {
		title: 'The method is GET',
		section: '4',
		standard: { section: 'RFC 7009 §2.1', title: 'The method is POST' },
		reads: ['method'],
		failed: 'wrong method'
	},
	'revoke.not_prefetched': {
		title: 'The request is no prefetch and no link preview',
		section: 'RFC 9110 §9.2.1',
		failed: 'prefetch or link preview'
	},
	'revoke.parameters_present': {
		title: 'token and client_id were sent once each',
		section: '4',
		standard: { section: 'RFC 7009 §2.1', title: 'The token was sent' },
		reads: ['token', 'client_id'],
		causes: { duplicate_parameter: 'parameter sent twice', missing_parameter: 'parameter missing' }
	},
	'revoke.client_known': {
		title: 'client_id belongs to an application',
		section: '4',
		standard: 'same',
		reads: ['client_id'],
		failed: 'unknown client_id'
	},
	'revoke.token_known': {
		title: 'The token is a refresh token of this service',
		section: '3.1',
		standard: { section: 'RFC 7009 §2.2', title: 'The token is one of this service' },
		reads: ['token'],
		responds: 'Nothing to revoke',
		failed: 'not a refresh token'
	},
	'revoke.token_issued_to_client': {
		title: 'The token was issued to this client',
		section: 'RFC 7009 §2.1',
		reads: ['token'],
		setBy: 'client_id',
		failed: 'refresh token of another application'
	},
	'revoke.token_active': {
		title: 'The token was not revoked before',
		section: '3.1',
		standard: 'same',
		reads: ['token'],
		failed: 'token already revoked'
	},
	'revoke.access_token_revoked': {
		title: 'The access token is revoked',
		section: 'RFC 7009 §2.1',
		reads: ['token'],
		responds: 'Access token revoked',
		cannotFail: true
	},
	'revoke.grant_revoked': {
		title: 'The grant and all its tokens are revoked',
		section: '3.1',
		standard: { section: 'RFC 7009 §2.1', title: 'The grant of the token is revoked' },
		responds: 'Access revoked',
		failed: 'token already revoked'
	}
} as const satisfies CheckRows;
