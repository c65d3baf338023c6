import type { CheckRows } from './check-row.ts';

const reads = ['client_assertion'] as const;

/** Checks of a client that signs an assertion in place of a secret (RFC 7523, section 3). */
export const clientAssertionChecks = {
	'client_assertion.sent_alone': {
		title: 'One assertion is sent, and no secret',
		section: 'RFC 7521 §4.2',
		reads: ['client_assertion', 'client_secret', 'Authorization'],
		causes: {
			missing_assertion: 'client_assertion missing',
			with_secret: 'assertion and secret',
			wrong_assertion_type: 'wrong client_assertion_type'
		}
	},
	'client_assertion.readable': {
		title: 'The assertion is a JWT with all claims',
		section: 'RFC 7523 §3',
		reads,
		causes: {
			critical_header: 'crit in the header',
			malformed_assertion: 'no JWT',
			missing_claim: 'claim missing',
			other_type: 'JWT for another purpose',
			unsupported_algorithm: 'unsupported algorithm'
		}
	},
	'client_assertion.issued_by_client': {
		title: 'iss and sub are a client with keys',
		section: 'RFC 7523 §3',
		reads: ['client_assertion', 'client_id'],
		causes: {
			client_ids_differ: 'two different client_ids',
			no_keys: 'client without keys',
			other_issuer: 'iss and sub differ',
			unknown_client: 'unknown client_id'
		}
	},
	'client_assertion.signature_valid': {
		title: 'A registered key of the client verifies the signature',
		section: 'RFC 7523 §3',
		reads,
		setBy: 'client_id',
		failed: 'wrong signature'
	},
	'client_assertion.audience_matches': {
		title: 'aud is this server',
		section: 'RFC 7523 §3',
		reads,
		failed: 'wrong aud'
	},
	'client_assertion.time_valid': {
		title: 'The assertion is valid now, and not for long',
		section: 'RFC 7523 §3',
		reads,
		causes: { expired: 'assertion expired', not_yet_valid: 'assertion not yet valid', too_long: 'exp too far ahead' }
	},
	'client_assertion.not_replayed': {
		title: 'The assertion was not used before',
		section: 'RFC 7523 §3',
		reads,
		failed: 'assertion used twice'
	}
} as const satisfies CheckRows;
