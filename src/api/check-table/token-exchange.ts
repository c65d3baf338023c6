import type { CheckRows } from './check-row.ts';

/** Checks of the exchange of an access token for another one (RFC 8693). */
export const tokenExchangeChecks = {
	'token.subject_token_present': {
		title: 'An access token to exchange was sent',
		section: 'RFC 8693 §2.1',
		reads: ['subject_token', 'subject_token_type', 'requested_token_type'],
		causes: { missing_field: 'subject_token missing', wrong_token_type: 'unsupported token type' }
	},
	'token.subject_token_active': {
		title: 'The token to exchange is that of a user, and active',
		section: 'RFC 8693 §2.1',
		reads: ['subject_token'],
		causes: {
			access_revoked: 'access revoked',
			account_deleted: 'account deleted',
			no_proof: 'subject_token of a key, without a proof',
			no_user: 'subject_token without a user',
			other_key: 'subject_token of another key',
			unknown_token: 'unknown subject_token'
		}
	},
	'token.actor_known': {
		title: 'It is known who acts',
		section: 'RFC 8693 §2.1',
		reads: ['actor_token', 'actor_token_type'],
		causes: {
			other_client: 'actor_token of another application',
			too_many_actors: 'too many actors',
			type_without_actor: 'actor_token_type without actor_token',
			unknown_token: 'unknown actor_token',
			wrong_token_type: 'unsupported token type'
		}
	},
	'token.audience_is_uri': {
		title: 'The audience is an absolute URI',
		section: 'RFC 8693 §2.1',
		reads: ['audience'],
		failed: 'audience is no absolute URI'
	},
	'token.scope_narrowed': {
		title: 'The new token has no scope that the exchanged one lacks',
		section: 'RFC 8693 §2.1',
		reads: ['scope'],
		setBy: 'subject_token',
		causes: { malformed_scope: 'malformed scope', not_granted: 'scope that the subject_token lacks' }
	},
	'token.exchanged': {
		title: 'A token for another application is issued',
		section: 'RFC 8693 §2.2',
		responds: 'Token exchanged',
		cannotFail: true
	}
} as const satisfies CheckRows;
