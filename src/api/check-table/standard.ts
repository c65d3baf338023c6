import type { CheckId } from '../checks.ts';

/** What a check requires in the dialect of today's standards. */
export type StandardRow = {
	readonly section: string;
	/** Where it requires something else than in the specification. */
	readonly title?: string;
};

/** The checks of OAuth requests whose section or title is another one in the dialect of today's standards. */
export const standardChecks: Readonly<Partial<Record<CheckId, StandardRow>>> = {
	'auth.method_is_get': { section: 'RFC 6749 §3.1' },
	'auth.query_is_valid': { section: 'RFC 6749 §4.1.1' },
	'auth.client_known': { section: 'RFC 6749 §4.1.1' },
	'auth.redirect_uri_registered': { section: 'RFC 9700 §2.1' },
	'auth.session_loaded': { section: 'RFC 6749 §3.1' },
	'auth.consent_required': { section: 'RFC 6749 §4.1.1' },
	'auth.user_prompted': { section: 'RFC 6749 §4.1.1' },
	'auth.response_type_is_code': { section: 'RFC 6749 §3.1.1' },
	'auth.scope_known': { section: 'RFC 6749 §3.3' },
	'auth.access_type_is_valid': { section: 'RFC 6749 §3.1' },
	'auth.code_challenge_is_s256': { section: 'RFC 9700 §2.1.1', title: 'code_challenge was sent and uses S256' },
	'auth.request_is_new': { section: 'RFC 6749 §4.1.1' },
	'interaction.method_is_post': { section: 'RFC 6749 §3.1' },
	'interaction.form_is_valid': { section: 'RFC 6749 §3.1' },
	'interaction.password_is_correct': { section: 'RFC 6749 §3.1' },
	'interaction.session_started': { section: 'RFC 6749 §3.1' },
	'interaction.decided_by_prompted_user': { section: 'RFC 6749 §4.1.1' },
	'consent.not_declined_by_test_account': { section: 'RFC 6749 §4.1.2.1' },
	'token.method_is_post': { section: 'RFC 6749 §3.2' },
	'token.form_is_valid': { section: 'RFC 6749 §3.2' },
	'token.client_authenticated': {
		section: 'RFC 6749 §2.3.1',
		title: 'The client is authenticated, or is an installed application'
	},
	'token.grant_type_supported': { section: 'RFC 6749 §4.1.3' },
	'token.code_present': { section: 'RFC 6749 §4.1.3' },
	'token.code_known': { section: 'RFC 6749 §4.1.3' },
	'token.code_not_expired': { section: 'RFC 6749 §4.1.2' },
	'token.redirect_uri_registered': { section: 'RFC 6749 §4.1.3' },
	'token.grant_active': { section: 'RFC 6749 §4.1.3' },
	'token.code_exchanged': { section: 'RFC 6749 §4.1.4' },
	'token.refresh_token_present': { section: 'RFC 6749 §6' },
	'token.refresh_token_known': { section: 'RFC 6749 §6' },
	'token.refresh_token_active': { section: 'RFC 6749 §6' },
	'token.refreshed': {
		section: 'RFC 9700 §4.14.2',
		title: 'An access token is issued, and the refresh token is replaced'
	},
	'revoke.method_is_get': { section: 'RFC 7009 §2.1', title: 'The method is POST' },
	'revoke.parameters_present': { section: 'RFC 7009 §2.1', title: 'The token was sent' },
	'revoke.token_known': { section: 'RFC 7009 §2.2', title: 'The token is one of this service' },
	'revoke.grant_revoked': { section: 'RFC 7009 §2.1', title: 'The grant of the token is revoked' },
	'rate_limit.not_exceeded': { section: 'RFC 6585 §4' },
	'access_token.sent_once': { section: 'RFC 6750 §2', title: 'One access token was sent, in the header' },
	'access_token.known': { section: 'RFC 6750 §3.1' },
	'access_token.not_revoked': { section: 'RFC 6750 §3.1' },
	'access_token.owners_exist': { section: 'RFC 6750 §3.1' },
	'character.method_is_get': { section: 'RFC 9110 §9.1', title: 'The method is GET or HEAD' },
	'character.scope_granted': { section: 'RFC 6750 §3.1' },
	'ratelimits.method_is_get': { section: 'RFC 9110 §9.1', title: 'The method is GET or HEAD' },
	'ratelimiting.method_is_get': { section: 'RFC 9110 §9.1', title: 'The method is GET or HEAD' },
	'ratelimiting.not_polled_too_often': { section: 'RFC 6585 §4' },
	'account.method_allowed': { section: 'RFC 9110 §15.5.6' },
	'service.path_known': { section: 'RFC 9110 §15.5.5' }
};
