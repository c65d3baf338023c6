import { identityScopes } from '#api/identity-scopes.ts';
import { recordToken } from '../../checks/attempt-limits.ts';
import { check } from '../../core/runner.ts';
import { base64url } from '../../core/encoding.ts';
import { ProtocolError } from '../../core/errors.ts';
import { parseScope, scopeSet } from '../../core/form-fields.ts';
import { respondData } from '../../core/responses.ts';
import { permissionsOf, readingPermissions } from '../../sandbox/permissions.ts';
import { grantKey } from '../../sandbox/records.ts';
import { keepClient } from '../client-authentication.ts';
import { boundTo } from '../resource-indicators.ts';
import { createTokenResponse, describeIssued, type TokenContext } from '../token-context.ts';
import { accessTokenLifetime, issueAccessToken } from '../tokens.ts';

const checkScope = check<TokenContext>('token.scope_without_user', async (context) => {
	const permissions = await permissionsOf(context);
	const open = readingPermissions(permissions).map(({ scope }) => scope);
	const sent = context.form.get('scope');
	const requested = sent === undefined ? open.slice(0, 1) : parseScope(sent);
	const known = [...permissions.map(({ scope }) => scope), ...identityScopes.keys()];
	if (requested === undefined || requested.length === 0 || !requested.every((scope) => open.includes(scope))) {
		const isKnown = requested?.every((scope) => known.includes(scope));
		const cause = requested === undefined ? 'malformed_scope' : isKnown === true ? 'needs_user' : 'unknown_scope';
		throw new ProtocolError('invalid_scope', `${problemOf[cause]} Without a user: ${open.join(' ') || 'none'}.`, {
			cause,
			received: [sent ?? '(not sent)'],
			expected: [open.join(' ')]
		});
	}
	context.scopes = requested;
	context.compare(sent ?? `(not sent: ${requested.join(' ')})`, [open.join(' ')]);
});

const problemOf = {
	malformed_scope: 'scope is malformed: it has names, separated by spaces.',
	needs_user: 'scope contains a permission that a user must give.',
	unknown_scope: 'scope contains an unknown scope.'
} as const;

const issueToken = check<TokenContext>('token.issued_to_client', async (context) => {
	recordToken(context);
	const { store, sandbox, application, scopes } = context;
	const { client_id } = application;
	const since = sandbox.seconds();
	const fresh = { id: base64url(context.options.random(16)), client_id, scopes, offline: false, since, refresh: [] };
	const granted = await store.update('grant', grantKey(undefined, client_id), (now = fresh) => ({
		...now,
		scopes: scopeSet([...now.scopes, ...scopes]),
		last_used: since
	}));
	const family = base64url(context.options.random(16));
	const expires = context.now() + accessTokenLifetime(context, undefined) * 1000;
	await store.update('token_family', family, () => ({ expires, createdBy: context.networkAddress }));
	const claims = { client_id, grant: granted?.id ?? fresh.id, family, scopes, ...boundTo(context) };
	context.grantId = claims.grant;
	context.family = family;
	const access_token = await issueAccessToken(context, claims);
	await keepClient(context, application);
	context.note(describeIssued(context, claims));
	return respondData(context, 200, 'OAuth', await createTokenResponse(context, access_token, claims, {}));
});

/**
 * Access of an application for itself, with its credentials alone (RFC 6749, section 4.4). Its tokens belong to a grant without a user.
 * There is no refresh token: the client sends the same request again.
 */
export const clientCredentialsChecks = [checkScope, issueToken] as const;
