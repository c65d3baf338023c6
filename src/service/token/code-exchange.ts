import { ProtocolError } from '../errors.ts';
import { base64url, sameDigest } from '../encoding.ts';
import { endFamily, issueAccessToken, issueRefreshToken, liveGrant, type Basis } from './tokens.ts';
import type { Code } from '../records.ts';
import { matchesRegistered } from '../redirect-uris.ts';
import { tokenResponse, type TokenCall, type TokenResponse } from './token-context.ts';

/** What `Code.used` says of a code that a faulty exchange used up. */
const burned = 'burned';

/**
 * Exchanges an authorization code (specification, section 3.1; RFC 6749, section 4.1.3). A code of another client is
 * left alone; a wrong redirect URI or verifier uses it up; a second use ends whatever the first one led to.
 * @throws ProtocolError `invalid_request`, `invalid_grant`
 */
export async function exchangeCode(call: TokenCall): Promise<TokenResponse> {
	const sent = call.form.get('code');
	if (sent === undefined) throw new ProtocolError('invalid_request', 'The field code is missing.');
	const digest = call.options.digest(call.secret(sent));
	const code = await call.sandbox.area.get('code', digest);
	if (code === undefined || code.client_id !== call.application.client_id) throw unknownCode();
	call.username = code.username;
	if (code.used !== undefined) throw await replayed(call, code);
	if (call.now() >= code.dies)
		throw invalidGrant('The code has expired. Send the person to the authorization endpoint again.');
	const fault = faultOf(call, code);
	if (fault !== undefined) {
		await call.sandbox.area.update('code', digest, (now) => now && { ...now, used: now.used ?? burned });
		throw fault;
	}
	await requireStanding(call, code);
	return consume(call, digest, code);
}

async function consume(call: TokenCall, digest: string, code: Code): Promise<TokenResponse> {
	const { area } = call.sandbox;
	const { client_id, username, grant, scopes } = code;
	const basis: Basis = { client_id, username, grant, scopes, family: base64url(call.options.random(16)) };
	const expires = call.now() + call.sandbox.world.settings.lifetimes.access_token * 1000;
	// The family stands before the code is consumed, so that a replay in the next instant finds something to end.
	await area.update('family', basis.family, () => ({ expires }));
	let first: Code | undefined;
	await area.update('code', digest, (now) => {
		first = now;
		return now === undefined || now.used !== undefined ? now : { ...now, used: basis.family };
	});
	if (first === undefined || first.used !== undefined) {
		await area.delete('family', basis.family);
		throw first === undefined ? unknownCode() : await replayed(call, first);
	}
	const access_token = await issueAccessToken(call, basis);
	const refresh_token = await offlineToken(call, code, basis);
	// A replay in the meantime has killed these tokens; its answer says so. This one stays the one success (CO-02).
	await requireStanding(call, code);
	call.saw(`code of ${username}, ${scopes.join(' ')}${refresh_token === undefined ? '' : ', with a refresh token'}`);
	return tokenResponse(call, access_token, scopes, refresh_token);
}

async function offlineToken(call: TokenCall, code: Code, basis: Basis): Promise<string | undefined> {
	const installed = call.application.kind === 'installed';
	const offline = code.offline || (installed && call.form.get('access_type') === 'offline');
	if (!offline) return undefined;
	const token = await issueRefreshToken(call, basis, !installed);
	if (token === undefined) await widenRefreshToken(call, basis);
	// A replay that came in between has ended the family before the grant listed this token.
	else if ((await call.sandbox.area.get('family', basis.family)) === undefined)
		await endFamily(call, basis, basis.family);
	return token;
}

/** The token that the application keeps from its first exchange covers what the person has allowed since. */
async function widenRefreshToken(call: TokenCall, basis: Basis): Promise<void> {
	const grant = await liveGrant(call, basis);
	for (const digest of grant?.refresh ?? []) {
		await call.sandbox.area.update(
			'refresh',
			digest,
			(now) => now && { ...now, scopes: [...new Set([...now.scopes, ...basis.scopes])].sort() }
		);
	}
}

async function replayed(call: TokenCall, code: Code): Promise<ProtocolError> {
	if (code.used === undefined || code.used === burned) {
		return invalidGrant('The code was used up by an earlier, faulty exchange. Ask for a new one.');
	}
	await endFamily(call, code, code.used);
	return invalidGrant(
		'The code was used before. Somebody else may have it, so the tokens of the first exchange are dead too; sign in again.'
	);
}

function faultOf(call: TokenCall, code: Code): ProtocolError | undefined {
	const { form, application } = call;
	if (form.get('redirect_uri') !== code.redirect_uri) {
		return invalidGrant(
			'redirect_uri is not the one of the authorization request. The code is used up; ask for a new one.'
		);
	}
	if (!matchesRegistered(application, code.redirect_uri)) {
		return invalidGrant('The redirect URI of this code is no longer registered.');
	}
	const verifier = form.get('code_verifier');
	if (verifier !== undefined) call.secret(verifier);
	if (code.challenge === undefined) {
		return verifier === undefined
			? undefined
			: invalidGrant('A code_verifier came, but the authorization request had no code_challenge.');
	}
	if (verifier !== undefined && sameDigest(call.options.digest(verifier), code.challenge)) return undefined;
	return invalidGrant(
		'code_verifier is missing, or does not match the code_challenge (RFC 7636). The code is used up.'
	);
}

async function requireStanding(call: TokenCall, code: Code): Promise<void> {
	const account = await call.sandbox.area.get('account', code.username);
	if (account === undefined || (await liveGrant(call, code)) === undefined) {
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
