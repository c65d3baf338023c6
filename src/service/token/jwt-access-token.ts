import type { Context } from '../core/context.ts';
import { base64url } from '../core/encoding.ts';
import { signClaims } from '../identity/jwt.ts';
import { requireSigningKeys } from '../identity/signing-keys.ts';
import { issuerOfProvider } from '../provider/provider-urls.ts';
import { fillAll } from '../provider/templates.ts';
import { userValues } from '../provider/user-values.ts';
import { actOf } from './act.ts';
import type { AccessToken } from '../sandbox/records.ts';

/** Whether access tokens for these resources are signed. The dialect of the specification has opaque ones only. */
export function issuesJwt({ dialect, sandbox }: Context, resources: readonly string[] | undefined): boolean {
	const { claims, jwt } = dialect.tokens?.access_token ?? {};
	const isDue = claims !== undefined && (jwt === undefined || resources !== undefined);
	return dialect.metadata && (sandbox.state.settings.jwt_access_tokens || isDue);
}

/**
 * An access token that a resource server can verify by the public keys (RFC 9068, section 2). Without a resource, it is for the base
 * URL, the place above all resources. Without a user, `sub` is the client, written so that no user has this name.
 * @param lifetime in seconds
 */
export async function createJwtAccessToken(
	context: Context,
	{
		client_id,
		username,
		scopes,
		resources,
		jkt,
		delegation
	}: Pick<AccessToken, 'client_id' | 'username' | 'scopes' | 'resources' | 'jkt' | 'delegation'>,
	lifetime: number
): Promise<string> {
	const [key] = await requireSigningKeys(context);
	const { sandbox, options, dialect } = context;
	const issuer = issuerOfProvider(context) ?? sandbox.base_url;
	const [aud = issuer, ...others] = resources ?? [];
	const iat = sandbox.seconds();
	const token = await signClaims(context, key, 'at+jwt', {
		iss: issuer,
		aud: others.length === 0 ? aud : [aud, ...others],
		sub: username ?? `client:${client_id}`,
		client_id,
		scope: scopes.join(' '),
		exp: iat + lifetime,
		iat,
		jti: base64url(options.random(16)),
		...(jkt !== undefined && { cnf: { jkt } }),
		...actOf(delegation),
		...fillAll(dialect.tokens?.access_token?.claims, { ...userValues(context, username, client_id), scopes })
	});
	return context.redact(token, 'access_token');
}
