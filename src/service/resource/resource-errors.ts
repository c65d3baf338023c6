import { ProtocolError, type ErrorCode } from '../errors.ts';

/** The challenge of every response that rejects a credential (RFC 9110, section 11.6.1). */
export const challenge = 'OAuth realm="Tollgate"';

/** The error where the credential of a resource request is rejected, with the challenge of RFC 6750, section 3. */
export function unauthorized(code: ErrorCode, description: string, status: number): ProtocolError {
	const headers = ['WWW-Authenticate', `${challenge}, error="${code}"`];
	return new ProtocolError(code, description, { status, headers });
}

/** The error where the token lacks a scope (RFC 6750, section 3.1). */
export function missingPermission(
	scope: string,
	description = `The access token does not have the scope ${scope}. Request it in an authorization request.`
): ProtocolError {
	const headers = ['WWW-Authenticate', `${challenge}, error="insufficient_scope", scope="${scope}"`];
	return new ProtocolError('insufficient_scope', description, { headers });
}
