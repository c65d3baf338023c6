import type { CheckRows } from './check-row.ts';

/** Checks of the exchange of an access token for another one (RFC 8693). */
export const tokenExchangeChecks = {
	'token.subject_token_present': {
		reads: ['subject_token', 'subject_token_type', 'requested_token_type'],
		causes: ['missing_field', 'wrong_token_type']
	},
	'token.subject_token_active': {
		reads: ['subject_token'],
		causes: ['access_revoked', 'account_deleted', 'no_proof', 'no_user', 'other_key', 'unknown_token'],
		mistakes: ['expired_subject']
	},
	'token.actor_known': {
		reads: ['actor_token', 'actor_token_type'],
		causes: ['other_client', 'too_many_actors', 'type_without_actor', 'unknown_token', 'wrong_token_type'],
		mistakes: ['other_client']
	},
	'token.audience_is_uri': { reads: ['audience'], failed: true },
	'token.scope_narrowed': {
		reads: ['scope'],
		setBy: 'subject_token',
		causes: ['malformed_scope', 'not_granted'],
		mistakes: ['more_scope']
	},
	'token.exchanged': { responds: true, cannotFail: true }
} as const satisfies CheckRows;
