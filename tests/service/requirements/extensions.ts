import type { Requirements } from './requirement.ts';

const jwtCases = 'tests/conformance/cases/standard-jwt-access-tokens.ts';

/** Signed access tokens. */
export const extensionRequirements: Requirements = {
	'RFC 9068 §2.1: Sign access tokens, and name their kind at+jwt': jwtCases,
	'RFC 9068 §2.2: iss, exp, aud, sub, client_id, iat, jti': jwtCases,
	'RFC 9068 §3: Name a default resource as aud': jwtCases
};
