import { ProtocolError } from '../errors.ts';
import { base64url, timingSafeEqual } from '../encoding.ts';
import { revokeFamily, issueAccessToken, issueRefreshToken, activeGrant, type TokenClaims } from './tokens.ts';
import type { AuthorizationCode } from '../records.ts';
import { matchesRegistered } from '../redirect-uris.ts';
import { tokenResponse, type TokenContext, type TokenResponse } from './token-context.ts';

/** What `Code.used` says of a code that a faulty exchange used up. */
const invalidated = 'burned';

/**
 * Exchanges an authorization code (specification, section 3.1; RFC 6749, section 4.1.3). A code of another client is
 * left alone; a wrong redirect URI or verifier uses it up; a second use ends whatever the first one led to.
 * @throws ProtocolError `invalid_request`, `invalid_grant`
 */
export async function exchangeCode(context: TokenContext): Promise<TokenResponse> {
	const sent = context.form.get('code');
	if (sent === undefined) throw new ProtocolError('invalid_request', 'The field code is missing.');
	const digest = context.options.digest(context.redact(sent));
	const code = await context.sandbox.store.get('code', digest);
	if (code === undefined || code.client_id !== context.application.client_id) throw unknownCode();
	context.username = code.username;
	if (code.consumedBy !== undefined) throw await revokeOnReplay(context, code);
	if (context.now() >= code.validUntil)
		throw invalidGrant('The code has expired. Send the person to the authorization endpoint again.');
	const fault = findMismatch(context, code);
	if (fault !== undefined) {
		await context.sandbox.store.update(
			'code',
			digest,
			(now) => now && { ...now, consumedBy: now.consumedBy ?? invalidated }
		);
		throw fault;
	}
	await requireActiveGrant(context, code);
	return consumeCode(context, digest, code);
}

async function consumeCode(context: TokenContext, digest: string, code: AuthorizationCode): Promise<TokenResponse> {
	const { store } = context.sandbox;
	const { client_id, username, grant, scopes } = code;
	const basis: TokenClaims = { client_id, username, grant, scopes, family: base64url(context.options.random(16)) };
	const expires = context.now() + context.sandbox.state.settings.lifetimes.access_token * 1000;
	// The family stands before the code is consumed, so that a replay in the next instant finds something to end.
	await store.update('token_family', basis.family, () => ({ expires }));
	let first: AuthorizationCode | undefined;
	await store.update('code', digest, (now) => {
		first = now;
		return now === undefined || now.consumedBy !== undefined ? now : { ...now, consumedBy: basis.family };
	});
	if (first === undefined || first.consumedBy !== undefined) {
		await store.delete('token_family', basis.family);
		throw first === undefined ? unknownCode() : await revokeOnReplay(context, first);
	}
	const access_token = await issueAccessToken(context, basis);
	const refresh_token = await issueOfflineToken(context, code, basis);
	// A replay in the meantime has killed these tokens; its answer says so. This one stays the one success (CO-02).
	await requireActiveGrant(context, code);
	context.note(
		`code of ${username}, ${scopes.join(' ')}${refresh_token === undefined ? '' : ', with a refresh token'}`
	);
	return tokenResponse(context, access_token, scopes, refresh_token);
}

async function issueOfflineToken(
	context: TokenContext,
	code: AuthorizationCode,
	basis: TokenClaims
): Promise<string | undefined> {
	const installed = context.application.kind === 'installed';
	const offline = code.offline || (installed && context.form.get('access_type') === 'offline');
	if (!offline) return undefined;
	const token = await issueRefreshToken(context, basis, !installed);
	if (token === undefined) await widenRefreshToken(context, basis);
	// A replay that came in between has ended the family before the grant listed this token.
	else if ((await context.sandbox.store.get('token_family', basis.family)) === undefined)
		await revokeFamily(context, basis, basis.family);
	return token;
}

/** The token that the application keeps from its first exchange covers what the person has allowed since. */
async function widenRefreshToken(context: TokenContext, basis: TokenClaims): Promise<void> {
	const grant = await activeGrant(context, basis);
	for (const digest of grant?.refresh ?? []) {
		await context.sandbox.store.update(
			'refresh_token',
			digest,
			(now) => now && { ...now, scopes: [...new Set([...now.scopes, ...basis.scopes])].sort() }
		);
	}
}

async function revokeOnReplay(context: TokenContext, code: AuthorizationCode): Promise<ProtocolError> {
	if (code.consumedBy === undefined || code.consumedBy === invalidated) {
		return invalidGrant('The code was used up by an earlier, faulty exchange. Ask for a new one.');
	}
	await revokeFamily(context, code, code.consumedBy);
	return invalidGrant(
		'The code was used before. Somebody else may have it, so the tokens of the first exchange are dead too; sign in again.'
	);
}

function findMismatch(context: TokenContext, code: AuthorizationCode): ProtocolError | undefined {
	const { form, application } = context;
	if (form.get('redirect_uri') !== code.redirect_uri) {
		return invalidGrant(
			'redirect_uri is not the one of the authorization request. The code is used up; ask for a new one.'
		);
	}
	if (!matchesRegistered(application, code.redirect_uri)) {
		return invalidGrant('The redirect URI of this code is no longer registered.');
	}
	const verifier = form.get('code_verifier');
	if (verifier !== undefined) context.redact(verifier);
	if (code.challenge === undefined) {
		return verifier === undefined
			? undefined
			: invalidGrant('A code_verifier came, but the authorization request had no code_challenge.');
	}
	if (verifier !== undefined && timingSafeEqual(context.options.digest(verifier), code.challenge)) return undefined;
	return invalidGrant(
		'code_verifier is missing, or does not match the code_challenge (RFC 7636). The code is used up.'
	);
}

async function requireActiveGrant(context: TokenContext, code: AuthorizationCode): Promise<void> {
	const account = await context.sandbox.store.get('account', code.username);
	if (account === undefined || (await activeGrant(context, code)) === undefined) {
		throw invalidGrant('The person has taken the access away since. Ask for consent again.');
	}
}

function unknownCode(): ProtocolError {
	return invalidGrant(
		'The code is unknown: mistyped, issued to another application, expired long ago, or undone by a second use.'
	);
}

function invalidGrant(description: string): ProtocolError {
	return new ProtocolError('invalid_grant', description);
}
