import { ownText } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { parseScope } from '../form-fields.ts';
import { issueAccessToken, isLive } from './tokens.ts';
import { tokenResponse, type TokenCall, type TokenResponse } from './token-context.ts';

/**
 * Turns a refresh token into an access token (specification, sections 3.1 and 4, rule 2). The refresh token stays as it
 * is, and so do older access tokens.
 * @throws ProtocolError `invalid_request`, `invalid_grant`, `invalid_scope`
 */
export async function refresh(call: TokenCall): Promise<TokenResponse> {
	const sent = call.form.get('refresh_token');
	if (sent === undefined) throw new ProtocolError('invalid_request', 'The field refresh_token is missing.');
	const known = await call.sandbox.area.get('refresh', call.options.digest(call.secret(sent)));
	if (known === undefined || known.client_id !== call.application.client_id || !(await isLive(call, known)))
		throw unknown();
	if ((await call.sandbox.area.get('account', known.username)) === undefined) throw unknown();
	call.username = known.username;
	const scopes = narrowed(call, known.scopes);
	const access_token = await issueAccessToken(call, { ...known, scopes });
	call.saw(`refresh token of ${known.username}, ${scopes.join(' ')}`);
	return tokenResponse(call, access_token, scopes);
}

function narrowed(call: TokenCall, granted: readonly string[]): readonly string[] {
	const sent = call.form.get('scope');
	if (sent === undefined) return granted;
	const asked = parseScope(sent);
	if (asked?.every((scope) => granted.includes(scope)) === true) return asked.map(ownText);
	throw new ProtocolError(
		'invalid_scope',
		`A refresh can narrow the permissions, not widen them. Granted: ${granted.join(' ')}.`
	);
}

function unknown(): ProtocolError {
	return new ProtocolError(
		'invalid_grant',
		'The refresh token is unknown, or the person has taken the access away. Ask for consent again.'
	);
}
