import { base64urlnopad } from '@scure/base';
import type { FaultKind } from '#api/control/fault-rules.ts';
import { takeResponseFault } from '../checks/faults.ts';
import type { Context } from '../core/context.ts';
import { base64url } from '../core/encoding.ts';
import type { AuthorizationCode, SigningKey } from '../sandbox/records.ts';
import { issuerOfProvider } from '../provider/provider-urls.ts';
import { fillAll } from '../provider/templates.ts';
import { userValues } from '../provider/user-values.ts';
import { encodePart, type JwtClaims } from './jwt.ts';
import { sign } from './signing-keys.ts';
import { userClaims } from './user-claims.ts';

/**
 * The ID token of a code exchange (OpenID Connect Core 1.0, section 3.1.3.3). A fault may change it.
 * @param access of the same response: the access token, and the lifetime of both in seconds
 */
export async function createIdToken(
	context: Context,
	key: SigningKey,
	code: Pick<AuthorizationCode, 'client_id' | 'username' | 'scopes' | 'authTime' | 'nonce'>,
	{ access_token, lifetime }: { readonly access_token: string; readonly lifetime: number }
): Promise<string> {
	const { sandbox } = context;
	const fault = (await takeResponseFault(context, 'id_token'))?.kind;
	const iat = sandbox.seconds();
	const claims: JwtClaims = {
		iss: issuerOfProvider(context) ?? sandbox.base_url,
		aud: code.client_id,
		iat,
		exp: iat + lifetime,
		auth_time: code.authTime,
		nonce: code.nonce,
		at_hash: halfHash(context, access_token),
		...userClaims(sandbox, code.username, code.scopes),
		...fillAll(context.dialect.idToken?.claims, userValues(context)),
		...changedClaims(fault, iat)
	};
	return write(context, key, claims, fault);
}

/** The left half of the digest of a token (OpenID Connect Core 1.0, section 3.1.3.6). */
function halfHash(context: Context, token: string): string {
	return base64url(base64urlnopad.decode(context.options.digest(token)).slice(0, 16));
}

/** The claims that a fault puts in place of the right ones. */
function changedClaims(fault: FaultKind | undefined, iat: number): JwtClaims {
	switch (fault) {
		case 'id_token_audience':
			return { aud: 'another-client' };
		case 'id_token_nonce':
			return { nonce: 'another-nonce' };
		case 'id_token_expired':
			return { iat: iat - 7200, exp: iat - 3600 };
		default:
			return {};
	}
}

/** The token in its compact form (RFC 7515, section 7.1). The log shows what it says, but not its signature. */
async function write(
	context: Context,
	key: SigningKey,
	claims: JwtClaims,
	fault: FaultKind | undefined
): Promise<string> {
	const isUnsigned = fault === 'id_token_unsigned';
	const kid = fault === 'id_token_key' ? base64url(context.options.random(9)) : key.kid;
	const header = encodePart(isUnsigned ? { alg: 'none', typ: 'JWT' } : { alg: key.alg, kid, typ: 'JWT' });
	const content = `${header}.${encodePart(claims)}`;
	for (const part of content.split('.')) context.open.add(part);
	if (isUnsigned) return `${content}.`;
	// A signature of other content has the right form.
	return `${content}.${await sign(context, key, fault === 'id_token_signature' ? `${content}.` : content)}`;
}
