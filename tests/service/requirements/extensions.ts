import type { Requirements } from './requirement.ts';

const assertionCases = 'tests/conformance/cases/standard-client-assertions.ts';
const parCases = 'tests/conformance/cases/standard-pushed-requests.ts';
const jwtCases = 'tests/conformance/cases/standard-jwt-access-tokens.ts';

/** Signed assertions, pushed requests and signed access tokens. */
export const extensionRequirements: Requirements = {
	'RFC 7523 §3: Verify signature, iss, sub, aud and exp of an assertion': assertionCases,
	'RFC 7523 §3: Reject a second use of jti': assertionCases,
	'RFC 7521 §4.2: One authentication method, and a client_id that fits': assertionCases,
	'RFC 9126 §2.1: Authenticate the client as at the token endpoint': parCases,
	'RFC 9126 §2.1: Reject a pushed request_uri': parCases,
	'RFC 9126 §2.1: Validate the request as the authorization endpoint does': parCases,
	'RFC 9126 §2.2: 201 with a request_uri that cannot be guessed, bound to the client, and expires_in': parCases,
	'RFC 9126 §4: Use a request_uri once': parCases,
	'RFC 9126 §4: Reject request_uri that has expired': parCases,
	'RFC 9126 §5: require_pushed_authorization_requests': parCases,
	'RFC 9101 §6.3: Use only the parameters of the request object': parCases,
	'RFC 9068 §2.1: Sign access tokens, and name their kind at+jwt': jwtCases,
	'RFC 9068 §2.2: iss, exp, aud, sub, client_id, iat, jti': jwtCases,
	'RFC 9068 §3: Name a default resource as aud': jwtCases
};
