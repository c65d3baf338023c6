import type { Context } from './context.ts';
import { ProtocolError, type ErrorCode, type ErrorDetails } from './errors.ts';

/** The challenge of every response that rejects a credential (RFC 9110, section 11.6.1). The realm is the name of the brand. */
export function challengeOf({ sandbox }: Context): string {
	const realm = sandbox.seed.world.brand.name.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&');
	return `OAuth realm="${realm}"`;
}

/** The error where the credential of a resource request is rejected, with the challenge of RFC 6750, section 3. */
export function unauthorized(
	context: Context,
	code: ErrorCode,
	description: string,
	status: number,
	details: ErrorDetails = {}
): ProtocolError {
	const headers = ['WWW-Authenticate', `${challengeOf(context)}, error="${code}"`];
	return new ProtocolError(code, description, { ...details, status, headers });
}

/** The error where the token lacks a scope (RFC 6750, section 3.1). */
export function missingPermission(
	context: Context,
	scope: string,
	description = `The access token does not have the scope ${scope}. Request it in an authorization request.`,
	granted?: readonly string[]
): ProtocolError {
	const headers = ['WWW-Authenticate', `${challengeOf(context)}, error="insufficient_scope", scope="${scope}"`];
	return new ProtocolError('insufficient_scope', description, {
		headers,
		...(granted === undefined ? {} : { received: [granted.join(' ')], expected: [scope] })
	});
}
