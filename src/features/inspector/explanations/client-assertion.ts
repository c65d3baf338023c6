import type { CheckExplanations } from './explanation.ts';

const form = "form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')";
const claims = 'const claims = { iss: client_id, sub: client_id, aud: issuer, jti, iat: now, exp: now + 60 }';
const fresh = 'const jti = crypto.randomUUID() // for each request';

/** Of clients that sign an assertion. */
export const clientAssertion = {
	'client_assertion.sent_alone wrong_assertion_type': [
		'client_assertion_type is missing, or is not that of a JWT.',
		'Send exactly this type.',
		form
	],
	'client_assertion.sent_alone missing_assertion': [
		'The form has client_assertion_type, and no client_assertion.',
		'Sign an assertion, and send it beside its type.',
		"form.set('client_assertion', assertion)"
	],
	'client_assertion.sent_alone with_secret': [
		'The request has a secret or an Authorization header, too. A client uses one method for each request.',
		'Leave the secret out.',
		"form.delete('client_secret')"
	],
	'client_assertion.readable malformed_assertion': [
		'client_assertion is not three parts of base64url with a header in JSON.',
		'Send the compact form of the JWT unchanged.',
		"form.set('client_assertion', assertion)"
	],
	'client_assertion.readable critical_header': [
		'crit names extensions that a recipient must understand, and this service understands none (RFC 7515 §4.1.11).',
		'Leave crit out of the header.',
		"new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid })"
	],
	'client_assertion.readable other_type': [
		'The typ of the header is that of another kind of JWT, for example of a DPoP proof (RFC 8725 §3.11).',
		'Leave typ out, or set it to JWT.',
		"new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid })"
	],
	'client_assertion.readable missing_claim': [
		'A claim is missing or has the wrong type. exp is a number of seconds.',
		'Send all five: iss, sub, aud, exp and jti.',
		claims
	],
	'client_assertion.readable unsupported_algorithm': [
		'The header has an alg that this service does not verify. Shared secrets and none are not accepted.',
		'Sign with ES256 or RS256.',
		"new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid })"
	],
	'client_assertion.issued_by_client other_issuer': [
		'iss and sub differ. A client issues its assertion about itself.',
		'Set both to the client_id.',
		claims
	],
	'client_assertion.issued_by_client client_ids_differ': [
		'client_id in the form is another client than sub of the assertion.',
		'Send the same client_id, or leave it out of the form.',
		claims
	],
	'client_assertion.issued_by_client unknown_client': [
		'No application of this sandbox has the client_id in sub.',
		'Compare it with the console. Each sandbox has its own applications.',
		claims
	],
	'client_assertion.issued_by_client no_keys': [
		'The application has no registered public keys.',
		'Add its JWKS in the console, or authenticate with the secret.',
		'{"keys":[{"kty":"EC","crv":"P-256","x":"…","y":"…"}]}'
	],
	'client_assertion.signature_valid': [
		'No registered key verifies the signature. The key was replaced, the kid names another one, or the content was changed after signing.',
		'Register the public key of the private key that signs. The kid must be the same in both.',
		"new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid })"
	],
	'client_assertion.audience_matches': [
		'aud is another server. An assertion for one server must not work at another.',
		'Use the issuer of the metadata, character by character.',
		claims
	],
	'client_assertion.time_valid expired': [
		'exp has passed by the clock of the sandbox.',
		'Sign a new assertion for each request.',
		claims
	],
	'client_assertion.time_valid not_yet_valid': [
		'iat or nbf is more than a minute ahead of the clock of the sandbox.',
		'Set the clock of the client, or leave nbf out.',
		claims
	],
	'client_assertion.time_valid too_long': [
		'exp is more than an hour ahead. A stolen assertion would work for as long.',
		'Let it expire after a minute.',
		claims
	],
	'client_assertion.not_replayed': [
		'An assertion with this jti was used before. It works once.',
		'Create a new jti for each request, also when a request is repeated.',
		fresh
	]
} satisfies CheckExplanations;
