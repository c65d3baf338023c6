import { invalidGrant, unknownCode, revokeOnReplay, invalidateCode, requireActiveGrant } from './code-errors.ts';
import { openidScope } from '#api/identity-scopes.ts';
import { isRegisteredFor } from '#api/protocol/grant-types.ts';
import { check } from '../../core/runner.ts';
import { recordToken } from '../../checks/attempt-limits.ts';
import { base64url, timingSafeEqual } from '../../core/encoding.ts';
import { scopeSet } from '../../core/form-fields.ts';
import { createIdToken } from '../../identity/id-token.ts';
import { requireSigningKeys } from '../../identity/signing-keys.ts';
import type { AuthorizationCode } from '../../sandbox/records.ts';
import { respondData } from '../../core/responses.ts';
import { findTestCard } from '../../sandbox/test-cards.ts';
import { refreshClaims } from '../dpop-binding.ts';
import { boundTo } from '../resource-indicators.ts';
import { createTokenResponse, describeIssued, type TokenContext } from '../token-context.ts';
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
import { codeDamage, damageOf, originalOf, redactCredential } from '../../core/hard-code.ts';
import { type ErrorDetails, ProtocolError } from '../../core/errors.ts';
import { matchesRegistered } from '../../sandbox/redirect-uris.ts';
import { rateLimitDate } from '../../core/time.ts';
import type { Cause } from '#api/checks.ts';

const requireCode = check<TokenContext>('token.code_present', (context) => {
	const code = context.form.get('code');
	if (code === undefined) throw new ProtocolError('invalid_request', 'The field code is missing.');
	context.credentialDigest = context.digestOf(redactCredential(context, code, 'code'));
});

const findCode = check<TokenContext>('token.code_known', async (context) => {
	const code = await context.store.get('code', context.credentialDigest);
	if (code === undefined) throw unknownCode(await damageOfCode(context));
	context.code = code;
	context.grantedResources = code.resources;
	({ flow: context.flow, grant: context.grantId } = code);
});

/** Why the code of a request is unknown, where its form tells. */
async function damageOfCode(context: TokenContext): Promise<ErrorDetails> {
	const sent = context.form.get('code') ?? '';
	const original = originalOf(sent);
	const isIssued =
		original !== undefined && (await context.store.get('code', context.options.digest(original))) !== undefined;
	return isIssued ? { cause: codeDamage(sent, original) } : damageOf(sent);
}

const checkClient = check<TokenContext>('token.code_issued_to_client', (context) => {
	const [received, expected] = [[context.application.client_id], [context.code.client_id]];
	if (context.code.client_id !== context.application.client_id) throw unknownCode({ received, expected });
	context.compare(context.application.client_id, expected);
	context.username = context.code.username;
});

const checkUnused = check<TokenContext>('token.code_not_used', async (context) => {
	if (context.code.consumedBy !== undefined) throw await revokeOnReplay(context, context.code);
});

const checkNotExpired = check<TokenContext>('token.code_not_expired', async (context) => {
	const found = `exchanged at ${rateLimitDate(Math.floor(context.now() / 1000))}`;
	const expected = [`before ${rateLimitDate(Math.ceil(context.code.validUntil / 1000))}`];
	const left = context.code.validUntil - context.now();
	if (left > 0) {
		context.note(`${Math.ceil(left / 1000)} s left`);
		return context.compare(found, expected);
	}
	await invalidateCode(context, 'expired');
	throw invalidGrant('The code has expired. Send the user to the authorization endpoint again.', {
		received: [found],
		expected
	});
});

const checkRedirectUri = check<TokenContext>('token.redirect_uri_matches', async (context) => {
	const sent = context.form.get('redirect_uri');
	if (sent === context.code.redirect_uri) return context.compare(sent, [context.code.redirect_uri]);
	const expected = [context.code.redirect_uri];
	if (sent === undefined && context.dialect.redirectUri?.optional === true) return context.note('Not sent');
	// A request without a required parameter proves nothing about the client, so the code stays (RFC 6749, section 5.2).
	if (sent === undefined)
		throw new ProtocolError('invalid_request', 'redirect_uri is missing. Send the one of the authorization request.', {
			cause: 'missing_field',
			received: ['(not sent)'],
			expected
		});
	await invalidateCode(context);
	throw invalidGrant(
		'redirect_uri is not the one of the authorization request. The code is now invalid. Request a new one.',
		{ cause: 'different', received: [sent], expected }
	);
});

const checkRegistered = check<TokenContext>('token.redirect_uri_registered', async (context) => {
	const { redirect_uris } = context.application;
	if (matchesRegistered(context.application, context.code.redirect_uri, context.dialect, context.weaknesses))
		return context.compare(context.code.redirect_uri, redirect_uris);
	await invalidateCode(context);
	throw invalidGrant('The redirect_uri of this code is no longer registered. The code is now invalid.', {
		received: [context.code.redirect_uri],
		expected: redirect_uris
	});
});

const checkGrant = check<TokenContext>('token.grant_active', async (context) => {
	await requireActiveGrant(context);
});

/** The proof that the client which exchanges a code is the one that requested it (PKCE, RFC 7636). */
const checkVerifier = check<TokenContext>('token.code_verifier_matches', async (context) => {
	const { challenge } = context.code;
	const verifier = context.form.get('code_verifier');
	if (verifier !== undefined) context.redact(verifier, 'code_verifier');
	if (challenge === undefined) {
		if (context.weaknesses.has('challenge_optional')) return context.note('No code_challenge: nothing is compared');
		if (verifier === undefined && context.isAuthenticated) return context.note('PKCE is not used');
		if (verifier === undefined) {
			await invalidateCode(context);
			throw invalidGrant(
				'The authorization request had no code_challenge, and the client sent no secret. The code is now invalid.',
				{ cause: 'nothing_proven', received: ['no secret, no PKCE'], expected: ['code_verifier or client_secret'] }
			);
		}
		await invalidateCode(context);
		throw invalidGrant(
			'code_verifier was sent, but the authorization request had no code_challenge. The code is now invalid.',
			{ cause: 'unexpected_verifier', received: ['code_verifier'], expected: ['no code_verifier'] }
		);
	}
	const computed = verifier === undefined ? '(not sent)' : context.options.digest(verifier);
	const found = verifier === undefined ? computed : `S256 of the verifier: ${computed}`;
	const expected = [`code_challenge: ${challenge}`];
	const formCause = verifier === undefined ? undefined : verifierFormCause(verifier);
	if (timingSafeEqual(computed, challenge) && formCause === undefined) return context.compare(found, expected);
	await invalidateCode(context);
	throw invalidGrant(
		formCause === undefined
			? 'code_verifier is missing or does not match the code_challenge (RFC 7636). The code is now invalid.'
			: 'code_verifier needs 43 to 128 letters, digits, hyphens, periods, underscores or tildes (RFC 7636). The code is now invalid.',
		{
			cause: verifierCause(verifier, challenge),
			received: [found],
			expected
		}
	);
});

function verifierCause(verifier: string | undefined, challenge: string): Cause {
	if (verifier === undefined) return 'missing_verifier';
	if (verifier === challenge) return 'verifier_is_challenge';
	return verifierFormCause(verifier) ?? 'wrong_verifier';
}

/** What is wrong with the form of a verifier, whether its hash fits or not (RFC 7636, section 4.1). */
function verifierFormCause(verifier: string): Cause | undefined {
	if (!/^[A-Za-z0-9._~-]*$/.test(verifier)) return 'verifier_characters';
	if (verifier.length < 43) return 'verifier_too_short';
	return verifier.length > 128 ? 'verifier_too_long' : undefined;
}

/** What holds before a code is exchanged (specification, section 3.1; RFC 6749, section 4.1.3). */
const codeChecks = [
	requireCode,
	findCode,
	checkClient,
	checkUnused,
	checkNotExpired,
	checkRedirectUri,
	checkRegistered,
	checkVerifier,
	checkGrant
] as const;

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
