import type { CheckExplanations } from './explanation.ts';

const proof = 'const proof = await createProof({ htm: method, htu: url, jti: crypto.randomUUID(), iat })';
const sent = 'headers: { Authorization: `DPoP ${accessToken}`, DPoP: proof }';
const header = "{ typ: 'dpop+jwt', alg: 'ES256', jwk: publicKey }";
const hash = 'ath: base64url(await crypto.subtle.digest("SHA-256", encode(accessToken)))';
const nonce = "nonce: response.headers.get('DPoP-Nonce')";
const sameKey = 'const keys = await loadKeys() // the pair of the first request';

/** Of tokens that are bound to a key. */
export const dpop = {
	'auth.dpop_jkt_is_thumbprint': [
		'dpop_jkt is no thumbprint. It has 43 characters of base64url.',
		'Send the SHA-256 thumbprint of the public key (RFC 7638).',
		"url.searchParams.set('dpop_jkt', await calculateJwkThumbprint(publicKey))"
	],
	'dpop.proof_sent missing_proof': [
		'The request has no header DPoP. The token is bound to a key, or the application always needs a proof.',
		'Sign a proof for each request, and send it in the header DPoP.',
		sent
	],
	'dpop.proof_sent proofs_sent_twice': [
		'The request has the header DPoP more than once.',
		'Replace the header when you send a request again.',
		"headers.set('DPoP', proof)"
	],
	'dpop.proof_readable malformed_proof': [
		'The header DPoP has no signed JWT whose header names typ, alg and jwk.',
		'Create the proof with a library, and send it without quotes.',
		header
	],
	'dpop.proof_readable critical_header': [
		'crit names extensions that a recipient must understand, and this service understands none (RFC 7515 §4.1.11).',
		'Leave crit out of the header.',
		header
	],
	'dpop.proof_readable wrong_type': [
		'The typ of the proof is another one, so it may be a token for another purpose.',
		'Set typ to dpop+jwt.',
		header
	],
	'dpop.proof_readable unsupported_algorithm': [
		'The proof is signed with an algorithm that this service does not have.',
		'Use one of dpop_signing_alg_values_supported in the metadata.',
		header
	],
	'dpop.proof_readable unusable_key': [
		'The jwk is not the public key of this algorithm, has a private part, or is an RSA key of fewer than 2,048 bits.',
		'Export the public key only. The private key never leaves the client.',
		"jwk: await crypto.subtle.exportKey('jwk', keys.publicKey)"
	],
	'dpop.proof_readable missing_claim': [
		'The proof lacks one of its claims, or one has another type.',
		'Send jti, htm and htu as text, and iat as a number of seconds.',
		proof
	],
	'dpop.signature_valid': [
		'The signature does not fit the jwk of the proof. Another key signed it, or the proof was changed.',
		'Sign with the private key that belongs to the jwk.',
		proof
	],
	'dpop.method_matches': [
		'The proof was made for another method.',
		'Sign a proof for each request. htm is its method in capitals.',
		proof
	],
	'dpop.url_matches': [
		'The proof was made for another URL, for example for that of the token endpoint.',
		'Sign a proof for each request. htu is its URL without query and fragment.',
		proof
	],
	'dpop.time_valid too_old': [
		'The proof is more than 5 minutes old by the clock of the sandbox.',
		'Sign a new proof for each request. If the clocks differ, take the time from the header Date.',
		proof
	],
	'dpop.time_valid in_the_future': [
		'The proof is more than a minute ahead of the clock of the sandbox. iat is in seconds, not in milliseconds.',
		'Set iat to the current time in seconds.',
		'iat: Math.floor(Date.now() / 1000)'
	],
	'dpop.nonce_current missing_nonce': [
		'This sandbox wants its nonce in each proof. The first request of a client cannot know it.',
		'Read DPoP-Nonce from the response, and send the request again with a new proof.',
		nonce
	],
	'dpop.nonce_current old_nonce': [
		'The nonce of the proof is not a current one. A nonce works for 5 to 10 minutes.',
		'Keep the newest DPoP-Nonce of each server, and send the request again with a new proof.',
		nonce
	],
	'dpop.token_hash_matches missing_ath': [
		'The proof does not name the access token, so it could be used with another one.',
		'At a resource, add ath: the digest of the access token.',
		hash
	],
	'dpop.token_hash_matches other_ath': [
		'The proof was made for another access token.',
		'Compute ath from the token that is sent, also after a refresh.',
		hash
	],
	'dpop.not_replayed': [
		'The same proof arrived before. Either the client sends it again, or a thief does.',
		'Sign a new proof for each request, also for a retry.',
		proof
	],
	'token.dpop_key_matches no_proof': [
		'The code or refresh token is bound to a key, and the request has no proof of it.',
		'Send a proof with each token request.',
		sent
	],
	'token.dpop_key_matches other_key': [
		'The code or refresh token is bound to another key than that of the proof.',
		'Keep one key pair for a sign-in and all its tokens.',
		sameKey
	],
	'access_token.scheme_fits bound_token': [
		'The token is bound to a key, but was sent with Bearer, as a thief would who has no key.',
		'Use the token_type of the token response as the scheme, and add a proof.',
		sent
	],
	'access_token.scheme_fits unbound_token': [
		'The token is not bound to a key, because the token request had no proof.',
		'Send a proof in the token request, or the token with Bearer.',
		sent
	],
	'access_token.key_proven': [
		'The proof is valid, but of another key than the one the token is bound to. A thief can do no more than that.',
		'Keep the key pair as long as the token.',
		sameKey
	]
} as const satisfies CheckExplanations;
