import { copyString } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { parseScope } from '../form-fields.ts';
import { issueAccessToken, isActive } from './tokens.ts';
import { tokenResponse, type TokenContext, type TokenResponse } from './token-context.ts';

/**
 * Turns a refresh token into an access token (specification, sections 3.1 and 4, rule 2). The refresh token stays as it
 * is, and so do older access tokens.
 * @throws ProtocolError `invalid_request`, `invalid_grant`, `invalid_scope`
 */
export async function refresh(context: TokenContext): Promise<TokenResponse> {
	const sent = context.form.get('refresh_token');
	if (sent === undefined) throw new ProtocolError('invalid_request', 'The field refresh_token is missing.');
	const known = await context.sandbox.store.get('refresh_token', context.options.digest(context.redact(sent)));
	if (known === undefined || known.client_id !== context.application.client_id || !(await isActive(context, known)))
		throw unknown();
	if ((await context.sandbox.store.get('account', known.username)) === undefined) throw unknown();
	context.username = known.username;
	const scopes = narrowScopes(context, known.scopes);
	const access_token = await issueAccessToken(context, { ...known, scopes });
	context.note(`refresh token of ${known.username}, ${scopes.join(' ')}`);
	return tokenResponse(context, access_token, scopes);
}

function narrowScopes(context: TokenContext, granted: readonly string[]): readonly string[] {
	const sent = context.form.get('scope');
	if (sent === undefined) return granted;
	const asked = parseScope(sent);
	if (asked?.every((scope) => granted.includes(scope)) === true) return asked.map(copyString);
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
