import * as v from 'valibot';
import type { Context } from '../core/context.ts';
import { decodeSignature, parsePart } from './jwt.ts';
import { isSignature, listSigningKeys } from './signing-keys.ts';

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
