import type { CheckRows } from './check-row.ts';

/** Checks of tokens that are bound to a key (RFC 9449). */
export const dpopChecks = {
	'auth.dpop_jkt_is_thumbprint': {
		title: 'The key that the code is bound to has a thumbprint',
		section: 'RFC 9449 §10',
		reads: ['dpop_jkt'],
		failed: 'dpop_jkt is no thumbprint'
	},
	'dpop.proof_sent': {
		title: 'One DPoP proof was sent',
		section: 'RFC 9449 §4.3',
		reads: ['DPoP'],
		causes: { missing_proof: 'DPoP proof missing', proofs_sent_twice: 'two DPoP proofs' }
	},
	'dpop.proof_readable': {
		title: 'The proof is a JWT with a public key and all claims',
		section: 'RFC 9449 §4.2',
		reads: ['DPoP'],
		causes: {
			critical_header: 'DPoP proof with crit',
			malformed_proof: 'malformed DPoP proof',
			missing_claim: 'DPoP proof without a claim',
			unsupported_algorithm: 'DPoP proof with another algorithm',
			unusable_key: 'DPoP proof with an unusable key',
			wrong_type: 'DPoP proof of another type'
		}
	},
	'dpop.signature_valid': {
		title: 'The proof is signed with its key',
		section: 'RFC 9449 §4.3',
		reads: ['DPoP'],
		failed: 'wrong signature of the DPoP proof'
	},
	'dpop.method_matches': {
		title: 'The proof is for this method',
		section: 'RFC 9449 §4.3',
		reads: ['DPoP', 'method'],
		failed: 'DPoP proof for another method'
	},
	'dpop.url_matches': {
		title: 'The proof is for this URL',
		section: 'RFC 9449 §4.3',
		reads: ['DPoP', 'path'],
		failed: 'DPoP proof for another URL'
	},
	'dpop.time_valid': {
		title: 'The proof is recent',
		section: 'RFC 9449 §11.1',
		reads: ['DPoP'],
		causes: { in_the_future: 'DPoP proof from the future', too_old: 'DPoP proof too old' }
	},
	'dpop.nonce_current': {
		title: 'The proof has a nonce of the service',
		section: 'RFC 9449 §8',
		reads: ['DPoP'],
		causes: { missing_nonce: 'DPoP proof without a nonce', old_nonce: 'DPoP proof with an old nonce' }
	},
	'dpop.token_hash_matches': {
		title: 'The proof is for this access token',
		section: 'RFC 9449 §7.1',
		reads: ['DPoP', 'Authorization'],
		causes: { missing_ath: 'DPoP proof without ath', other_ath: 'DPoP proof for another token' }
	},
	'dpop.not_replayed': {
		title: 'The proof was not used before',
		section: 'RFC 9449 §11.1',
		reads: ['DPoP'],
		failed: 'DPoP proof used twice'
	},
	'token.dpop_key_matches': {
		title: 'The proof is of the key that the code or refresh token is bound to',
		section: 'RFC 9449 §5',
		reads: ['DPoP'],
		setBy: 'dpop_jkt',
		causes: { no_proof: 'bound to a key, but no proof sent', other_key: 'bound to another key' }
	},
	'access_token.scheme_fits': {
		title: 'A token that is bound to a key is sent with DPoP, any other with Bearer',
		section: 'RFC 9449 §7.1',
		reads: ['Authorization'],
		causes: { bound_token: 'bound token sent with Bearer', unbound_token: 'Bearer token sent with DPoP' }
	},
	'access_token.key_proven': {
		title: 'The proof is of the key that the token is bound to',
		section: 'RFC 9449 §7.1',
		reads: ['DPoP', 'Authorization'],
		failed: 'proof of another key'
	}
} as const satisfies CheckRows;
