import { findAccount } from '../../sandbox/test-cards.ts';
import { check, when } from '../../core/check.ts';
import { recordToken } from '../../checks/attempt-limits.ts';
import { damageOf, redactCredential } from '../../core/damaged-value.ts';
import { ProtocolError, type ErrorDetails } from '../../core/errors.ts';
import { parseScope } from '../../core/form-fields.ts';
import { respondData } from '../../core/responses.ts';
import { boundTo } from '../resource-indicators.ts';
import { describeIssued, createTokenResponse, type TokenContext } from '../token-context.ts';
import { isInGrace, rotateRefreshToken } from './rotation.ts';
import { activeGrant, isReplaced, issueAccessToken, issueRefreshToken, recordUse, revokeFamily } from '../tokens.ts';

const requireRefreshToken = check<TokenContext>('token.refresh_token_present', (context) => {
	const refresh_token = context.form.get('refresh_token');
	if (refresh_token === undefined) throw new ProtocolError('invalid_request', 'The field refresh_token is missing.');
	context.credentialDigest = context.digestOf(redactCredential(context, refresh_token, 'refresh_token'));
});

const findRefreshToken = check<TokenContext>('token.refresh_token_known', async (context) => {
	const refreshToken = await context.store.get('refresh_token', context.credentialDigest);
	if (refreshToken === undefined) throw invalidRefreshToken(damageOf(context.form.get('refresh_token') ?? ''));
	context.refreshToken = refreshToken;
	context.grantedResources = refreshToken.resources;
	context.grantOfToken = await activeGrant(context, refreshToken);
	({ flow: context.flow, grant: context.grantId, family: context.family } = refreshToken);
});

const checkClient = check<TokenContext>('token.refresh_token_issued_to_client', (context) => {
	const [received, expected] = [[context.application.client_id], [context.refreshToken.client_id]];
	if (context.refreshToken.client_id !== context.application.client_id)
		throw invalidRefreshToken({ received, expected });
	context.compare(context.application.client_id, expected);
});

const checkUnused = check<TokenContext>('token.refresh_token_not_used', (context) => {
	if (!isUsed(context)) return;
	if (!isInGrace(context, context.refreshToken)) return rejectReused(context);
	context.note('Used before, within rotation_grace');
});

const checkActive = check<TokenContext>('token.refresh_token_active', async (context) => {
	const { refreshToken, grantOfToken } = context;
	const family = await context.store.get('token_family', refreshToken.family);
	if (grantOfToken === undefined || family === undefined) throw invalidRefreshToken({ cause: 'access_revoked' });
	if ((await findAccount(context, refreshToken.username)) === undefined)
		throw invalidRefreshToken({ cause: 'account_deleted' });
	context.grant = grantOfToken;
	context.username = refreshToken.username;
	context.note(refreshToken.username);
});

const checkScope = check<TokenContext>('token.scope_not_widened', (context) => {
	const granted = context.refreshToken.scopes;
	const requested = context.form.get('scope');
	const scopes = requested === undefined ? granted : parseScope(requested);
	const isGranted = scopes?.every((scope) => granted.includes(scope)) === true;
	if (scopes === undefined || (!isGranted && !context.weaknesses.has('scope_widened'))) {
		throw new ProtocolError(
			'invalid_scope',
			`scope contains a scope that was not granted. Granted scopes: ${granted.join(' ')}.`,
			{
				cause: scopes === undefined ? 'malformed_scope' : 'not_granted',
				received: [requested ?? ''],
				expected: [granted.join(' ')]
			}
		);
	}
	context.scopes = scopes;
	context.compare(requested ?? '(not sent: all)', [granted.join(' ')]);
});

const issueTokens = check<TokenContext>('token.refreshed', async (context) => {
	recordToken(context);
	const claims = { ...context.refreshToken, scopes: context.scopes, ...boundTo(context) };
	context.credentialEvents.push({ type: 'used', kind: 'refresh_token', id: context.credentialDigest });
	const isRotated = context.dialect.refresh === 'rotated';
	const refresh_token = isRotated
		? await rotateRefreshToken(context, context.credentialDigest, context.refreshToken)
		: await addRefreshToken(context);
	if (isRotated && refresh_token === undefined) return rejectReused(context);
	const access_token = await issueAccessToken(context, claims, context.credentialDigest);
	await recordUse(context, context.grant);
	context.note(describeIssued(context, claims, refresh_token));
	return respondData(
		context,
		200,
		'OAuth',
		await createTokenResponse(context, access_token, claims, { refresh_token })
	);
});

/** Another refresh token, where each refresh returns one and the old one still works. */
async function addRefreshToken(context: TokenContext): Promise<string | undefined> {
	if (context.dialect.refresh !== 'added') return undefined;
	return issueRefreshToken(context, context.refreshToken, context.credentialDigest, false);
}

/** Whether the refresh token was replaced by another one. */
function isUsed({ grantOfToken, credentialDigest }: TokenContext): boolean {
	return isReplaced(grantOfToken, credentialDigest);
}

/** Ends everything that a refresh token led to, after a second use (RFC 9700, section 4.14.2). */
async function rejectReused(context: TokenContext): Promise<never> {
	await revokeFamily(context, context.refreshToken, context.refreshToken.family);
	throw new ProtocolError(
		'invalid_grant',
		'The refresh token was already used. It may be stolen, so access has ended. Ask the user to authorize again.',
		{ cause: 'already_used' }
	);
}

/**
 * The refresh of an access token (specification, sections 3.1 and 4, rule 2). The refresh token and older access tokens stay
 * valid. In the dialect of today's standards each refresh replaces the refresh token.
 */
export const refreshTokenChecks = [
	requireRefreshToken,
	findRefreshToken,
	checkClient,
	...when((context) => context.dialect.refresh === 'rotated' || isUsed(context), [checkUnused]),
	checkActive,
	checkScope,
	issueTokens
] as const;

/** One error for every cause, so that a client learns nothing about the tokens of others. */
function invalidRefreshToken(details: ErrorDetails = {}): ProtocolError {
	return new ProtocolError(
		'invalid_grant',
		'The refresh token is unknown, or access was revoked. Ask the user to authorize again.',
		details
	);
}
