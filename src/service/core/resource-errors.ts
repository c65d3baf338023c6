import type { Cause } from '#api/checks.ts';
import type { Context } from './context.ts';
import { asciiUrl } from './encoding.ts';
import { ProtocolError, type ErrorCode, type ErrorDetails } from './errors.ts';

/** The challenge of every response that rejects a credential (RFC 9110, section 11.6.1). The realm is the name of the brand. */
export function challengeOf({ sandbox, dialect }: Context): string {
	const realm = quotable(sandbox.seed.world.brand.name);
	return `${dialect.schemes[0] ?? ''} realm="${realm}"`;
}

/** Where the metadata of the requested resource is (RFC 9728, section 5.1); empty in a dialect that has none. */
export function metadataParameter({ sandbox, dialect, options, path }: Context): string {
	if (!dialect.metadata) return '';
	const { origin } = options;
	const url = `${origin}/.well-known/oauth-protected-resource${sandbox.base_url.slice(origin.length)}${path}`;
	return `, resource_metadata="${asciiUrl(url).replace(/["\\]/g, encodeURIComponent)}"`;
}

/** Text as the inside of a quoted string of a header (RFC 9110, section 5.6.4). */
function quotable(text: string): string {
	return text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&');
}

/** The error where the credential of a resource request is rejected, with the challenge of RFC 6750, section 3. */
export function unauthorized(
	context: Context,
	code: ErrorCode,
	description: string,
	status: number,
	details: ErrorDetails = {}
): ProtocolError {
	const found = status === 401 ? metadataParameter(context) : '';
	const headers = ['WWW-Authenticate', `${challengeOf(context)}, error="${code}"${found}`];
	return new ProtocolError(code, description, { ...details, status, headers });
}

/** The error where the token lacks a scope (RFC 6750, section 3.1). */
export function missingPermission(
	context: Context,
	scope: string,
	description = `The access token does not have the scope ${scope}. Request it in an authorization request.`,
	{ granted, cause }: { readonly granted?: readonly string[]; readonly cause?: Cause } = {}
): ProtocolError {
	const headers = ['WWW-Authenticate', `${challengeOf(context)}, error="insufficient_scope", scope="${scope}"`];
	return new ProtocolError('insufficient_scope', description, {
		headers,
		...(cause && { cause }),
		...(granted === undefined ? {} : { received: [granted.join(' ')], expected: [scope] })
	});
}
