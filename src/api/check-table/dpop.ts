import type { CheckRows } from './check-row.ts';

/** Checks of tokens that are bound to a key (RFC 9449). */
export const dpopChecks = {
	'auth.dpop_jkt_is_thumbprint': { reads: ['dpop_jkt'], failed: true },
	'dpop.proof_sent': { reads: ['DPoP'], causes: ['missing_proof', 'proofs_sent_twice'], mistakes: ['missing_proof'] },
	'dpop.proof_readable': {
		reads: ['DPoP'],
		causes: [
			'critical_header',
			'malformed_proof',
			'missing_claim',
			'unsupported_algorithm',
			'unusable_key',
			'wrong_type'
		]
	},
	'dpop.signature_valid': { reads: ['DPoP'], failed: true },
	'dpop.method_matches': { reads: ['DPoP', 'method'], failed: true, mistakes: ['wrong_htm'] },
	'dpop.url_matches': { reads: ['DPoP', 'path'], failed: true, mistakes: ['wrong_htu'] },
	'dpop.time_valid': { reads: ['DPoP'], causes: ['in_the_future', 'too_old'], mistakes: ['old_iat'] },
	'dpop.nonce_current': { reads: ['DPoP'], causes: ['missing_nonce', 'old_nonce'], mistakes: ['missing_nonce'] },
	'dpop.token_hash_matches': {
		reads: ['DPoP', 'Authorization'],
		causes: ['missing_ath', 'other_ath'],
		mistakes: ['wrong_ath']
	},
	'dpop.not_replayed': { reads: ['DPoP'], failed: true, mistakes: ['replayed_proof'] },
	'token.dpop_key_matches': { reads: ['DPoP'], setBy: 'dpop_jkt', causes: ['no_proof', 'other_key'] },
	'access_token.scheme_fits': { reads: ['Authorization'], causes: ['bound_token', 'unbound_token'] },
	'access_token.key_proven': { reads: ['DPoP', 'Authorization'], failed: true }
} as const satisfies CheckRows;
