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

class UserInfoContext extends ResourceContext {
	/** Set by `userinfo.scope_granted`. */
	user!: string;
}

const checkMethod = check<UserInfoContext>('userinfo.method_allowed', (context) => requireRead(context, 'POST'));

const checkScope = check<UserInfoContext>('userinfo.scope_granted', (context) => {
	const { scopes, username } = context.accessToken;
	if (username === undefined)
		throw missingPermission(
			context,
			openidScope,
			'The access token was issued to the application itself, so there is no user. Send a user to the authorization endpoint, with the scope openid.',
			{ granted: scopes, cause: 'no_user' }
		);
	if (!scopes.includes(openidScope)) throw missingPermission(context, openidScope, undefined, { granted: scopes });
	context.user = username;
	context.note(scopes.join(' '));
});

const respondUser = check<UserInfoContext>('userinfo.returned', (context) => {
	const { user, sandbox, accessToken } = context;
	context.note(user);
	return respondJson(context, 200, userClaims(sandbox, user, accessToken.scopes));
});

/** The user of an access token, `GET` or `POST /ws/oauth2/userinfo` (OpenID Connect Core 1.0, section 5.3). It has no rate limit. */
export const userInfo = endpoint(
	UserInfoContext,
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
