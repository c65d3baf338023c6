import * as v from 'valibot';
import { base64urlnopad } from '@scure/base';
import type { FaultKind } from '#api/control/fault-rules.ts';
import { takeResponseFault } from '../checks/faults.ts';
import type { Context } from '../core/context.ts';
import { base64url } from '../core/encoding.ts';
import type { AuthorizationCode, SigningKey } from '../sandbox/records.ts';
import { issuerOfProvider } from '../provider/provider-urls.ts';
import { fillAll, userValues } from '../provider/templates.ts';
import {
	decodeSignature,
	encodePart,
	isSignature,
	type JwtClaims,
	listSigningKeys,
	parsePart,
	sign
} from './signing-keys.ts';
import type { UserInfo } from '#api/protocol/openid.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

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

/** The same keys sign access tokens, which have another `typ` (RFC 9068, section 4). */
const headerSchema = v.object({ kid: v.string(), typ: v.literal('JWT') });
const claimsSchema = v.object({ iss: v.string(), sub: v.string(), aud: v.string() });

/**
 * The user and the client of an ID token that this sandbox issued (OpenID Connect Core 1.0, section 3.1.2.1). It may have expired.
 * @returns undefined for any other text, and for a token of a key that is no longer published
 */
export async function readIdTokenHint(
	context: Context,
	token: string
): Promise<{ readonly username: string; readonly client_id: string } | undefined> {
	const [head = '', payload = '', signature = '', ...rest] = token.split('.');
	const header = v.safeParse(headerSchema, parsePart(head));
	const claims = v.safeParse(claimsSchema, parsePart(payload));
	if (!header.success || !claims.success || rest.length > 0) return undefined;
	const key = (await listSigningKeys(context)).find(({ kid }) => kid === header.output.kid);
	const bytes = decodeSignature(signature);
	if (key === undefined || bytes === undefined) return undefined;
	const isOwn = claims.output.iss === context.sandbox.base_url;
	if (!isOwn || !(await isSignature(context, key, `${head}.${payload}`, bytes))) return undefined;
	return { username: claims.output.sub, client_id: claims.output.aud };
}

/** What the scopes of a token let a client know of the user (OpenID Connect Core 1.0, section 5.4). */
export function userClaims({ seed }: Sandbox, username: string, scopes: readonly string[]): UserInfo {
	const { name = username, email } = seed.world.accounts.find((account) => account.username === username) ?? {};
	return {
		sub: username,
		...(scopes.includes('profile') && { name, preferred_username: username }),
		...(scopes.includes('email') && email !== undefined && { email })
	};
}
