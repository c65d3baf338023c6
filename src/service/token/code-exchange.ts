import type { Cause } from '#wire/control/causes.ts';
import { findAccount } from '../account/find-account.ts';
import { check } from '../check.ts';
import { base64url, timingSafeEqual } from '../encoding.ts';
import { ProtocolError, type ErrorDetails } from '../errors.ts';
import type { AuthorizationCode } from '../records.ts';
import { matchesRegistered } from '../redirect-uris.ts';
import { respondData } from '../responses.ts';
import { findTestCard } from '../test-cards.ts';
import { rateLimitDate } from '../time.ts';
import { describeIssued, tokenResponse, type TokenContext } from './token-context.ts';
import {
	accessTokenLifetime,
	activeGrant,
	issueAccessToken,
	issueRefreshToken,
	revokeFamily,
	revokeGrant,
	type TokenClaims
} from './tokens.ts';

/** The value of `AuthorizationCode.consumedBy` after an exchange that failed. */
const invalidated = 'invalidated';

const requireCode = check<TokenContext>('token.code_present', 'The code was sent', '2.3', (context) => {
	const code = context.form.get('code');
	if (code === undefined) throw new ProtocolError('invalid_request', 'The field code is missing.');
	context.credentialDigest = context.digestOf(context.redact(code, 'code'));
});

const findCode = check<TokenContext>(
	'token.code_known',
	'The code was issued by this service',
	'3.1',
	async (context) => {
		const code = await context.sandbox.store.get('code', context.credentialDigest);
		if (code === undefined) throw unknownCode();
		context.code = code;
		({ flow: context.flow, grant: context.grantId } = code);
	}
);

const checkClient = check<TokenContext>(
	'token.code_issued_to_client',
	'The code was issued to this client',
	'RFC 6749 §4.1.3',
	(context) => {
		if (context.code.client_id !== context.application.client_id) {
			throw unknownCode({
				received: [context.application.client_id],
				expected: [context.code.client_id]
			});
		}
		context.username = context.code.username;
	}
);

const checkUnused = check<TokenContext>(
	'token.code_not_used',
	'The code was not used before',
	'RFC 6749 §4.1.2',
	async (context) => {
		if (context.code.consumedBy !== undefined) throw await revokeOnReplay(context, context.code);
	}
);

const checkNotExpired = check<TokenContext>(
	'token.code_not_expired',
	'The code has not expired',
	'3.1',
	async (context) => {
		if (context.now() < context.code.validUntil) return;
		await invalidateCode(context, 'expired');
		throw invalidGrant('The code has expired. Send the user to the authorization endpoint again.', {
			received: [`exchanged at ${rateLimitDate(Math.floor(context.now() / 1000))}`],
			expected: [`before ${rateLimitDate(Math.ceil(context.code.validUntil / 1000))}`]
		});
	}
);

const checkRedirectUri = check<TokenContext>(
	'token.redirect_uri_matches',
	'redirect_uri is that of the authorization request',
	'RFC 6749 §4.1.3',
	async (context) => {
		const sent = context.form.get('redirect_uri');
		if (sent === context.code.redirect_uri) return;
		await invalidateCode(context);
		throw invalidGrant(
			'redirect_uri is not the one of the authorization request. The code is now invalid. Request a new one.',
			{
				cause: sent === undefined ? 'missing_field' : 'different',
				received: [sent ?? '(not sent)'],
				expected: [context.code.redirect_uri]
			}
		);
	}
);

const checkRegistered = check<TokenContext>(
	'token.redirect_uri_registered',
	'redirect_uri is still registered',
	'2.1',
	async (context) => {
		if (matchesRegistered(context.application, context.code.redirect_uri)) return;
		await invalidateCode(context);
		throw invalidGrant('The redirect_uri of this code is no longer registered. The code is now invalid.', {
			received: [context.code.redirect_uri],
			expected: context.application.redirect_uris
		});
	}
);

const checkVerifier = check<TokenContext>(
	'token.code_verifier_matches',
	'code_verifier matches the code_challenge',
	'RFC 7636 §4.6',
	async (context) => {
		const { challenge } = context.code;
		const verifier = context.form.get('code_verifier');
		if (verifier !== undefined) context.redact(verifier, 'code_verifier');
		if (challenge === undefined) {
			if (verifier === undefined) return context.note('PKCE is not used');
			await invalidateCode(context);
			throw invalidGrant(
				'code_verifier was sent, but the authorization request had no code_challenge. The code is now invalid.',
				{ cause: 'unexpected_verifier', received: ['code_verifier'], expected: ['no code_verifier'] }
			);
		}
		const computed = verifier === undefined ? '(not sent)' : context.options.digest(verifier);
		if (timingSafeEqual(computed, challenge)) return context.note('S256');
		await invalidateCode(context);
		throw invalidGrant(
			'code_verifier is missing or does not match the code_challenge (RFC 7636). The code is now invalid.',
			{
				cause: verifierCause(verifier, challenge),
				received: [verifier === undefined ? computed : `S256 of the verifier: ${computed}`],
				expected: [`code_challenge: ${challenge}`]
			}
		);
	}
);

const checkGrant = check<TokenContext>(
	'token.grant_active',
	'The user has not revoked access',
	'3.1',
	requireActiveGrant
);

const consumeCode = check<TokenContext>(
	'token.code_exchanged',
	'The code is consumed, and tokens are issued',
	'3.1',
	async (context) => {
		const { code, credentialDigest } = context;
		const { store } = context.sandbox;
		const { flow, client_id, username, grant, scopes } = code;
		const family = base64url(context.options.random(16));
		const claims: TokenClaims = { flow, client_id, username, grant, scopes, family };
		const expires = context.now() + accessTokenLifetime(context, username) * 1000;
		// Before the code is consumed, so that a replay right afterwards finds a family to revoke.
		await store.update('token_family', claims.family, () => ({ expires }));
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
		const refresh_token = await issueOfflineToken(context, code, claims);
		// A replay may have revoked these tokens. This response still succeeds: exactly one exchange does (CO-02).
		await requireActiveGrant(context);
		const isRevoked = findTestCard(context, 'account', username)?.outcome === 'revoked';
		if (isRevoked) await revokeGrant(context, username, client_id, grant);
		context.note(describeIssued(context, claims, refresh_token));
		return respondData(context, 200, 'OAuth', tokenResponse(context, access_token, claims, refresh_token));
	}
);

/**
 * The exchange of an authorization code (specification, section 3.1; RFC 6749, section 4.1.3). A code of another client is
 * left alone. A wrong redirect URI or verifier invalidates the code. A second use revokes the tokens of the first.
 */
export const codeExchangeChecks = [
	requireCode,
	findCode,
	checkClient,
	checkUnused,
	checkNotExpired,
	checkRedirectUri,
	checkRegistered,
	checkVerifier,
	checkGrant,
	consumeCode
] as const;

async function issueOfflineToken(
	context: TokenContext,
	code: AuthorizationCode,
	claims: TokenClaims
): Promise<string | undefined> {
	const installed = context.application.kind === 'installed';
	const offline = code.offline || (installed && context.form.get('access_type') === 'offline');
	if (!offline) return undefined;
	const token = await issueRefreshToken(context, claims, context.credentialDigest, !installed);
	if (token === undefined) await widenRefreshToken(context, claims);
	// A replay revoked the family before the grant listed this token.
	else if ((await context.sandbox.store.get('token_family', claims.family)) === undefined)
		await revokeFamily(context, claims, claims.family);
	return token;
}

/** Adds newly granted scopes to the refresh token that the application kept from its first exchange. */
async function widenRefreshToken(context: TokenContext, claims: TokenClaims): Promise<void> {
	const grant = await activeGrant(context, claims);
	for (const digest of grant?.refresh ?? []) {
		await context.sandbox.store.update(
			'refresh_token',
			digest,
			(now) => now && { ...now, scopes: [...new Set([...now.scopes, ...claims.scopes])].sort() }
		);
	}
}

function verifierCause(verifier: string | undefined, challenge: string): Cause {
	if (verifier === undefined) return 'missing_verifier';
	if (verifier === challenge) return 'verifier_is_challenge';
	return verifier.length < 43 ? 'verifier_too_short' : 'wrong_verifier';
}

async function revokeOnReplay(context: TokenContext, code: AuthorizationCode): Promise<ProtocolError> {
	if (code.consumedBy === undefined || code.consumedBy === invalidated) {
		return invalidGrant('An earlier exchange failed and invalidated the code. Request a new one.', {
			cause: 'earlier_exchange_failed'
		});
	}
	await revokeFamily(context, code, code.consumedBy);
	return invalidGrant(
		'The code was already used. It may be stolen, so the tokens issued for it were revoked. Ask the user to sign in again.',
		{ cause: 'already_used' }
	);
}

async function invalidateCode(
	context: TokenContext,
	reason: 'expired' | 'failed_exchange' = 'failed_exchange'
): Promise<void> {
	context.credentialEvents.push({ type: 'ended', kind: 'code', id: context.credentialDigest, reason });
	await context.sandbox.store.update(
		'code',
		context.credentialDigest,
		(now) => now && { ...now, consumedBy: now.consumedBy ?? invalidated }
	);
}

async function requireActiveGrant(context: TokenContext): Promise<void> {
	const { code } = context;
	const account = await findAccount(context, code.username);
	if (account === undefined || (await activeGrant(context, code)) === undefined) {
		const cause = account === undefined ? 'account_deleted' : 'access_revoked';
		throw invalidGrant('Access was revoked. Ask the user to authorize again.', { cause });
	}
}

/** The same error for an unknown code and for one of another client. */
function unknownCode(details: ErrorDetails = {}): ProtocolError {
	return invalidGrant(
		'The code is unknown. It may be mistyped, expired, or issued to another application. Request a new one.',
		details
	);
}

function invalidGrant(description: string, details: ErrorDetails = {}): ProtocolError {
	return new ProtocolError('invalid_grant', description, details);
}
