import { openidScope } from '#api/identity-scopes.ts';
import { isRegisteredFor } from '#api/protocol/grant-types.ts';
import { check } from '../../core/check.ts';
import { recordToken } from '../../checks/attempt-limits.ts';
import { base64url } from '../../core/encoding.ts';
import { scopeSet } from '../../core/form-fields.ts';
import { createIdToken } from '../../identity/id-token.ts';
import { requireSigningKeys } from '../../identity/signing-keys.ts';
import type { AuthorizationCode } from '../../sandbox/records.ts';
import { respondData } from '../../core/responses.ts';
import { findTestCard } from '../../sandbox/test-cards.ts';
import { codeChecks } from './code-checks.ts';
import { requireActiveGrant, revokeOnReplay, unknownCode } from './code-errors.ts';
import { refreshClaims } from '../dpop-binding.ts';
import { boundTo } from '../resource-indicators.ts';
import { describeIssued, createTokenResponse, type TokenContext } from '../token-context.ts';
import {
	accessTokenLifetime,
	activeGrant,
	issueAccessToken,
	issueRefreshToken,
	recordUse,
	revokeFamily,
	revokeGrant,
	type UserClaims
} from '../tokens.ts';

const consumeCode = check<TokenContext>('token.code_exchanged', async (context) => {
	recordToken(context);
	const { code, credentialDigest } = context;
	const asksForId = context.dialect.metadata && code.scopes.includes(openidScope);
	// Before the code is consumed: a first key takes a while, and may have to wait for others.
	const [key] = asksForId ? await requireSigningKeys(context) : [];
	const { store } = context;
	const { flow, client_id, username, grant, scopes } = code;
	const family = base64url(context.options.random(16));
	const claims: UserClaims = { flow, client_id, username, grant, scopes, family, ...boundTo(context) };
	const lifetime = accessTokenLifetime(context, username);
	const expires = context.now() + lifetime * 1000;
	// Before the code is consumed, so that a replay right afterwards finds a family to revoke.
	await store.update('token_family', claims.family, () => ({ expires, createdBy: context.networkAddress }));
	let first: AuthorizationCode | undefined;
	await store.update('code', credentialDigest, (now) => {
		first = now;
		return now === undefined || now.consumedBy !== undefined ? now : { ...now, consumedBy: claims.family };
	});
	if (first === undefined || first.consumedBy !== undefined) {
		await store.delete('token_family', claims.family);
		throw first === undefined ? unknownCode({ cause: 'unknown' }) : await revokeOnReplay(context, first);
	}
	context.family = family;
	context.credentialEvents.push({ type: 'ended', kind: 'code', id: credentialDigest, reason: 'exchanged' });
	const access_token = await issueAccessToken(context, claims, credentialDigest);
	// The refresh token works for all that the user allowed, also if the access token is for less.
	const refresh_token = await issueOfflineToken(context, code, refreshClaims(context, { ...claims, ...boundTo(code) }));
	const id_token = key && (await createIdToken(context, key, code, { access_token, lifetime }));
	// A replay may have revoked these tokens. This response still succeeds: exactly one exchange does (CO-02).
	await recordUse(context, await requireActiveGrant(context));
	const isRevoked = findTestCard(context, 'account', username)?.outcome === 'revoked';
	if (isRevoked) await revokeGrant(context, username, client_id, grant);
	context.note(describeIssued(context, claims, refresh_token));
	const response = await createTokenResponse(context, access_token, claims, { refresh_token, id_token });
	return respondData(context, 200, 'OAuth', response);
});

/**
 * The exchange of an authorization code (specification, section 3.1; RFC 6749, section 4.1.3). A code of another client is
 * left alone. A wrong redirect URI or verifier invalidates the code. A second use revokes the tokens of the first.
 */
export const authorizationCodeChecks = [...codeChecks, consumeCode] as const;

async function issueOfflineToken(
	context: TokenContext,
	code: AuthorizationCode,
	claims: UserClaims
): Promise<string | undefined> {
	const installed = context.application.kind === 'installed';
	const offline = code.offline || (installed && context.form.get('access_type') === 'offline');
	if (!offline || !isRegisteredFor(context.application, 'refresh_token')) return undefined;
	const token = await issueRefreshToken(
		context,
		claims,
		context.credentialDigest,
		!installed && context.dialect.refreshFor === 'first_offline'
	);
	if (token === undefined) await widenRefreshToken(context, claims);
	// A replay revoked the family before the grant listed this token.
	else if ((await context.store.get('token_family', claims.family)) === undefined)
		await revokeFamily(context, claims, claims.family);
	return token;
}

/** Adds newly granted scopes to the refresh token that the application kept from its first exchange. */
async function widenRefreshToken(context: TokenContext, claims: UserClaims): Promise<void> {
	const grant = await activeGrant(context, claims);
	for (const digest of grant?.refresh ?? []) {
		await context.store.update(
			'refresh_token',
			digest,
			(now) => now && { ...now, scopes: scopeSet([...now.scopes, ...claims.scopes]) }
		);
	}
}
