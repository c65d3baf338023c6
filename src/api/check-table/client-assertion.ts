import type { CheckRows } from './check-row.ts';

const reads = ['client_assertion'] as const;

/** Checks of a client that signs an assertion in place of a secret (RFC 7523, section 3). */
export const clientAssertionChecks = {
	'client_assertion.sent_alone': {
		reads: ['client_assertion', 'client_secret', 'Authorization'],
		causes: ['missing_assertion', 'with_secret', 'wrong_assertion_type']
	},
	'client_assertion.readable': {
		reads,
		causes: ['critical_header', 'malformed_assertion', 'missing_claim', 'other_type', 'unsupported_algorithm']
	},
	'client_assertion.issued_by_client': {
		reads: ['client_assertion', 'client_id'],
		causes: ['client_ids_differ', 'no_keys', 'other_issuer', 'unknown_client'],
		mistakes: ['wrong_sub']
	},
	'client_assertion.signature_valid': { reads, setBy: 'client_id', failed: true, mistakes: ['wrong_key'] },
	'client_assertion.audience_matches': { reads, failed: true, mistakes: ['wrong_aud'] },
	'client_assertion.time_valid': {
		reads,
		causes: ['expired', 'not_yet_valid', 'too_long'],
		mistakes: ['expired_assertion']
	},
	'client_assertion.not_replayed': { reads, failed: true, mistakes: ['replayed_assertion'] }
} as const satisfies CheckRows;
