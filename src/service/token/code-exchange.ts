import { findAccount } from '../account/find-account.ts';
import { check } from '../check.ts';
import { base64url, timingSafeEqual } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import type { AuthorizationCode } from '../records.ts';
import { matchesRegistered } from '../redirect-uris.ts';
import { respondData } from '../responses.ts';
import { findTestCard } from '../test-cards.ts';
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
	context.credentialDigest = context.options.digest(context.redact(code));
});

const findCode = check<TokenContext>(
	'token.code_known',
	'The code was issued by this service',
	'3.1',
	async (context) => {
		const code = await context.sandbox.store.get('code', context.credentialDigest);
		if (code === undefined) throw unknownCode();
		context.code = code;
	}
);

const checkClient = check<TokenContext>(
	'token.code_issued_to_client',
	'The code was issued to this client',
	'RFC 6749 §4.1.3',
	(context) => {
		if (context.code.client_id !== context.application.client_id) throw unknownCode();
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
		await invalidateCode(context);
		throw invalidGrant('The code has expired. Send the user to the authorization endpoint again.');
	}
);

const checkRedirectUri = check<TokenContext>(
	'token.redirect_uri_matches',
	'redirect_uri is that of the authorization request',
	'RFC 6749 §4.1.3',
	async (context) => {
		if (context.form.get('redirect_uri') === context.code.redirect_uri) return;
		await invalidateCode(context);
		throw invalidGrant(
			'redirect_uri is not the one of the authorization request. The code is now invalid. Request a new one.'
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
		throw invalidGrant('The redirect_uri of this code is no longer registered. The code is now invalid.');
	}
);

const checkVerifier = check<TokenContext>(
	'token.code_verifier_matches',
	'code_verifier matches the code_challenge',
	'RFC 7636 §4.6',
	async (context) => {
		const { challenge } = context.code;
		const verifier = context.form.get('code_verifier');
		if (verifier !== undefined) context.redact(verifier);
		if (challenge === undefined) {
			if (verifier === undefined) return context.note('PKCE is not used');
			await invalidateCode(context);
			throw invalidGrant(
				'code_verifier was sent, but the authorization request had no code_challenge. The code is now invalid.'
			);
		}
		if (verifier !== undefined && timingSafeEqual(context.options.digest(verifier), challenge))
			return context.note('S256');
		await invalidateCode(context);
		throw invalidGrant(
			'code_verifier is missing or does not match the code_challenge (RFC 7636). The code is now invalid.'
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
		const { client_id, username, grant, scopes } = code;
		const claims: TokenClaims = { client_id, username, grant, scopes, family: base64url(context.options.random(16)) };
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
			throw first === undefined ? unknownCode() : await revokeOnReplay(context, first);
		}
		const access_token = await issueAccessToken(context, claims);
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
	const token = await issueRefreshToken(context, claims, !installed);
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

async function revokeOnReplay(context: TokenContext, code: AuthorizationCode): Promise<ProtocolError> {
	if (code.consumedBy === undefined || code.consumedBy === invalidated) {
		return invalidGrant('An earlier exchange failed and invalidated the code. Request a new one.');
	}
	await revokeFamily(context, code, code.consumedBy);
	return invalidGrant(
		'The code was already used. It may be stolen, so the tokens issued for it were revoked. Ask the user to sign in again.'
	);
}

async function invalidateCode(context: TokenContext): Promise<void> {
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
		throw invalidGrant('Access was revoked. Ask the user to authorize again.');
	}
}

/** The same error for an unknown code and for one of another client. */
function unknownCode(): ProtocolError {
	return invalidGrant(
		'The code is unknown. It may be mistyped, expired, or issued to another application. Request a new one.'
	);
}

function invalidGrant(description: string): ProtocolError {
	return new ProtocolError('invalid_grant', description);
}
