import type { Cause } from '#api/checks.ts';
import { signingAlgorithms } from '#api/protocol/openid.ts';
import type { Context } from './context.ts';
import { asciiUrl } from './encoding.ts';
import { ProtocolError, type ErrorCode, type ErrorDetails } from './errors.ts';

/** The scheme of access tokens that are bound to a key (RFC 9449). */
type BoundScheme = 'DPoP';

/**
 * The challenge of every response that rejects a credential (RFC 9110, section 11.6.1). The realm is the name of the brand.
 * @param scheme default: that of the request, if it is supported
 */
export function challengeOf(context: Context, scheme?: BoundScheme): string {
	const { sandbox, dialect } = context;
	const realm = quotable(sandbox.seed.world.brand.name);
	if (scheme === 'DPoP' || isBoundScheme(context)) return `DPoP realm="${realm}", ${boundAlgorithms}`;
	return `${dialect.schemes[0] ?? ''} realm="${realm}"`;
}

/** Which proofs are read (RFC 9449, section 7.1). */
export const boundAlgorithms = `algs="${signingAlgorithms.join(' ')}"`;

/** Whether a request sends its access token as one that is bound to a key. */
export function isBoundScheme(context: Context): boolean {
	return context.dialect.schemes.includes('DPoP') && /^dpop /i.test(context.header('authorization') ?? '');
}

/**
 * Where the metadata of the requested resource is (RFC 9728, section 5.1); empty in a dialect that has none.
 * @param withScope whether the scope of the challenge follows. False: the challenge has one already
 */
export function metadataParameter(context: Context, withScope = true): string {
	const { sandbox, dialect, options, path, challengeScope } = context;
	if (!dialect.metadata) return '';
	const scope = challengeScope === undefined || !withScope ? '' : `, scope="${challengeScope}"`;
	const { origin } = options;
	const url = `${origin}/.well-known/oauth-protected-resource${sandbox.base_url.slice(origin.length)}${path}`;
	return `, resource_metadata="${asciiUrl(url).replace(/["\\]/g, encodeURIComponent)}"${scope}`;
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
	details: ErrorDetails = {},
	scheme?: BoundScheme
): ProtocolError {
	const found = status === 401 || status === 403 ? metadataParameter(context) : '';
	const headers = ['WWW-Authenticate', `${challengeOf(context, scheme)}, error="${code}"${found}`];
	return new ProtocolError(code, description, { ...details, status, headers });
}

/** The error where the token lacks a scope (RFC 6750, section 3.1). */
export function missingPermission(
	context: Context,
	scope: string,
	description = `The access token does not have the scope ${scope}. Request it in an authorization request.`,
	{ granted, cause }: { readonly granted?: readonly string[]; readonly cause?: Cause } = {}
): ProtocolError {
	const found = metadataParameter(context, false);
	const headers = ['WWW-Authenticate', `${challengeOf(context)}, error="insufficient_scope", scope="${scope}"${found}`];
	return new ProtocolError('insufficient_scope', description, {
		headers,
		...(cause && { cause }),
		...(granted === undefined ? {} : { received: [granted.join(' ')], expected: [scope] })
	});
}
