import { findAccount } from '../../sandbox/test-cards.ts';
import { check, when } from '../../core/runner.ts';
import { recordToken } from '../../checks/attempt-limits.ts';
import { damageOf, redactCredential } from '../../core/hard-code.ts';
import { type ErrorDetails, ProtocolError } from '../../core/errors.ts';
import { parseScope } from '../../core/form-fields.ts';
import { respondData } from '../../core/responses.ts';
import { boundTo } from '../resource-indicators.ts';
import { createTokenResponse, describeIssued, type TokenContext } from '../token-context.ts';
import {
	activeGrant,
	isReplaced,
	issueAccessToken,
	issueRefreshToken,
	lifetimeOf,
	maxRefreshTokens,
	randomToken,
	recordUse,
	revokeFamily
} from '../tokens.ts';
import type { Context } from '../../core/context.ts';
import { base64url } from '../../core/encoding.ts';
import { grantKey, type RefreshToken } from '../../sandbox/records.ts';

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

/**
 * Replaces a refresh token. Of several requests with the same token one succeeds. The others count as reuse, which ends its family
 * (RFC 9700, section 4.14.2), unless the setting `rotation_grace` lets them have the same new token.
 * @param digest of the token that was sent
 * @returns the new token; undefined if the old one was used before
 */
async function rotateRefreshToken(
	context: TokenContext,
	digest: string,
	old: RefreshToken
): Promise<string | undefined> {
	const { store } = context;
	const { client_id, username, flow, grant, family, scopes } = old;
	const hasGrace = graceOf(context) > 0;
	const token = hasGrace ? await derivedToken(context, digest) : randomToken(context, 'refresh_token');
	const next = context.digestOf(token);
	// Before the old one is used up: a full sandbox must not end the access.
	await store.update(
		'refresh_token',
		next,
		(known) => known ?? { flow, client_id, username, grant, family, scopes, ...boundTo(old) }
	);
	let dropped: readonly string[] | undefined;
	const updated = await store.update('grant', grantKey(username, client_id), (now) => {
		dropped = undefined;
		if (now?.id !== grant || !now.refresh.includes(digest)) return now;
		const { replaced = [] } = now;
		dropped = replaced.slice(0, 1 - maxRefreshTokens);
		const refresh = now.refresh.map((id) => (id === digest ? next : id));
		return { ...now, refresh, replaced: [...replaced.slice(1 - maxRefreshTokens), digest] };
	});
	// Of several requests with one token, the first replaces it.
	if (updated?.refresh.includes(next) !== true) {
		if (updated?.replaced?.includes(next) !== true) await store.delete('refresh_token', next);
		return undefined;
	}
	if (dropped === undefined) return token;
	for (const id of dropped) await store.delete('refresh_token', id);
	context.credentialEvents.push(
		{ type: 'ended', kind: 'refresh_token', id: digest, reason: 'exchanged' },
		{ type: 'issued', kind: 'refresh_token', id: next, from: digest, grant, family, scopes: [...scopes] }
	);
	return token;
}

/** Whether a refresh token that was replaced returns the same new one again. */
function isInGrace(context: Context, { rotation }: RefreshToken): boolean {
	const isRotated = context.dialect.refresh === 'rotated';
	return isRotated && rotation !== undefined && context.now() < rotation.at + graceOf(context);
}

/**
 * A refresh token that the same old one leads to each time. The store alone, which has the salt and the digest of the old token,
 * does not tell it.
 * @param digest of the old token
 */
async function derivedToken(context: TokenContext, digest: string): Promise<string> {
	const salt = base64url(context.options.random(32));
	const at = context.now();
	const old = await context.store.update(
		'refresh_token',
		digest,
		(known) => known && { ...known, rotation: known.rotation ?? { salt, at } }
	);
	const sent = context.form.get('refresh_token') ?? '';
	return context.redact(context.options.digest(`${old?.rotation?.salt ?? salt} ${sent}`), 'refresh_token');
}

/** In milliseconds. */
function graceOf(context: Context): number {
	return lifetimeOf(context, 'rotation_grace') * 1000;
}
