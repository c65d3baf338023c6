import type { Introspection } from '#api/protocol/standard.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { allowOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { check } from '../core/check.ts';
import { ProtocolError } from '../core/errors.ts';
import { requireMethod, respondData, respondError } from '../core/responses.ts';
import { endpoint } from '../core/runner.ts';
import { findAccount } from '../sandbox/test-cards.ts';
import { clientChecks, ClientContext } from './client-checks.ts';
import { actOf } from './act.ts';
import { readToken } from './token-field.ts';
import { grantOfActive, isReplaced } from './tokens.ts';

class IntrospectContext extends ClientContext {
	/** Digest of the token that was sent. Set by `introspect.token_present`. */
	tokenDigest!: string;
}

const checkMethod = check<IntrospectContext>('introspect.method_is_post', (context) => requireMethod(context, 'POST'));

const requireToken = check<IntrospectContext>('introspect.token_present', (context) => {
	if (!context.isAuthenticated)
		throw new ProtocolError(
			'invalid_client',
			'Introspection needs a client with a secret (RFC 7662, section 2.1). Send client_id and client_secret.',
			{ cause: 'missing_secret' }
		);
	context.tokenDigest = readToken(context);
});

const describeToken = check<IntrospectContext>('introspect.token_described', async (context) => {
	const data = await introspect(context);
	context.note(data.active ? `Active: ${data.username ?? 'without a user'}` : 'Not active');
	return respondData(context, 200, 'introspection', data);
});

/** Unknown, expired, revoked and foreign tokens are all the same: not active (RFC 7662, section 2.2). */
async function introspect(context: IntrospectContext): Promise<Introspection> {
	const { sandbox, application, tokenDigest } = context;
	const accessToken = await sandbox.store.get('access_token', tokenDigest);
	const refreshToken = accessToken ? undefined : await sandbox.store.get('refresh_token', tokenDigest);
	const token = accessToken ?? refreshToken;
	if (token?.client_id !== application.client_id) return { active: false };
	const { username, jkt } = token;
	const grant = await grantOfActive(context, token);
	const isDeleted = username !== undefined && (await findAccount(context, username)) === undefined;
	if (grant === undefined || isReplaced(grant, tokenDigest) || isDeleted) return { active: false };
	({ flow: context.flow, grant: context.grantId, family: context.family } = token);
	context.username = username;
	return {
		active: true,
		scope: token.scopes.join(' '),
		client_id: token.client_id,
		username,
		...(accessToken && {
			token_type: jkt === undefined ? ('Bearer' as const) : ('DPoP' as const),
			exp: Math.floor(accessToken.expires / 1000)
		}),
		// Without a user there is none: the id of a client could be the name of a user (RFC 9700, section 4.15).
		sub: username,
		iss: sandbox.base_url,
		...(token.resources && { aud: [...token.resources] }),
		...(jkt !== undefined && { cnf: { jkt } }),
		...actOf(accessToken?.delegation)
	};
}

/** The introspection endpoint, `POST /ws/oauth2/introspect` (RFC 7662). */
export const introspection = endpoint(
	IntrospectContext,
	[rejectBlacklisted, requireMetadata, allowOrigins('POST'), checkMethod, ...clientChecks, requireToken, describeToken],
	respondError
);
