import { openidScope } from '#api/identity-scopes.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { allowOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { check } from '../core/check.ts';
import { missingPermission } from '../core/resource-errors.ts';
import { requireRead, respondError, respondJson } from '../core/responses.ts';
import { endpoint } from '../core/runner.ts';
import { userClaims } from '../identity/user-claims.ts';
import { accessTokenChecks, ResourceContext } from './access-token.ts';

const checkMethod = check<ResourceContext>('userinfo.method_allowed', (context) => requireRead(context, 'POST'));

const checkScope = check<ResourceContext>('userinfo.scope_granted', (context) => {
	const { scopes } = context.accessToken;
	if (!scopes.includes(openidScope)) throw missingPermission(context, openidScope, undefined, scopes);
	context.note(scopes.join(' '));
});

const respondUser = check<ResourceContext>('userinfo.returned', (context) => {
	const { username, scopes } = context.accessToken;
	context.note(username);
	return respondJson(context, 200, userClaims(context.sandbox, username, scopes));
});

/** The user of an access token, `GET` or `POST /ws/oauth2/userinfo` (OpenID Connect Core 1.0, section 5.3). It has no rate limit. */
export const userInfo = endpoint(
	ResourceContext,
	[
		rejectBlacklisted,
		requireMetadata,
		allowOrigins('GET, POST'),
		checkMethod,
		...accessTokenChecks,
		checkScope,
		respondUser
	],
	respondError
);
