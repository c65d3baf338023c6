import type { Introspection } from '#api/protocol/standard.ts';
import { allowOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { check, endpoint } from '../core/runner.ts';
import { ProtocolError } from '../core/errors.ts';
import { requireMethod, respondData, respondError } from '../core/responses.ts';
import type { AccessToken } from '../sandbox/records.ts';
import { originOf } from '../sandbox/redirect-uris.ts';
import { findAccount } from '../sandbox/test-cards.ts';
import { clientChecks, ClientContext } from './client-checks.ts';
import { actOf, grantOfActive, isReplaced } from './tokens.ts';
import { redactCredential } from '../core/hard-code.ts';

class IntrospectContext extends ClientContext {
	override readonly withoutClient = 'invalid_client';
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
	if (data.active) context.note(`Active: ${data.username ?? 'without a user'}`);
	return respondData(context, 200, 'introspection', data);
});

/** Unknown, expired, revoked and foreign tokens are all the same: not active (RFC 7662, section 2.2). */
async function introspect(context: IntrospectContext): Promise<Introspection> {
	const { sandbox, tokenDigest } = context;
	const accessToken = await sandbox.store.get('access_token', tokenDigest);
	const refreshToken = accessToken ? undefined : await sandbox.store.get('refresh_token', tokenDigest);
	const token = accessToken ?? refreshToken;
	if (token === undefined || !mayIntrospect(context, token, accessToken !== undefined)) return { active: false };
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

/**
 * Whether a token is the business of an application: its own, or an access token for a resource of it (RFC 7662, section 2.1). A resource
 * is that of a web application if a redirect URI of it has the same origin. One that registered itself proves nothing about an origin.
 */
function mayIntrospect(
	context: IntrospectContext,
	{ client_id, resources = [] }: Pick<AccessToken, 'client_id' | 'resources'>,
	isAccessToken: boolean
): boolean {
	const { application } = context;
	if (client_id === application.client_id) return true;
	const origins = application.redirect_uris.map(originOf);
	const isOwner = application.kind === 'web' && application.createdBy === undefined;
	if (isAccessToken && isOwner && resources.some((resource) => origins.includes(originOf(resource)))) return true;
	context.note('Issued to another application, and for no resource at an origin of this one');
	return false;
}

/** The introspection endpoint, `POST /ws/oauth2/introspect` (RFC 7662). */
export const introspection = endpoint(
	IntrospectContext,
	[rejectBlacklisted, requireMetadata, allowOrigins('POST'), checkMethod, ...clientChecks, requireToken, describeToken],
	respondError
);

/**
 * The digest of the token in the form of a request.
 * @throws ProtocolError `invalid_request` if it has none
 */
export function readToken(context: ClientContext): string {
	const token = context.form.get('token');
	if (token !== undefined) return context.digestOf(redactCredential(context, token, 'token'));
	throw new ProtocolError('invalid_request', 'The field token is missing. Send the token in the form.', {
		cause: 'missing_parameter',
		expected: ['token']
	});
}
