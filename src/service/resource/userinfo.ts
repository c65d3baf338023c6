import { openidScope } from '#api/identity-scopes.ts';
import { allowOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { hasFaults, injectFault, injectRateLimit } from '../checks/faults.ts';
import { enforceRateLimit, uncountSuccess } from '../checks/rate-limit.ts';
import { check, endpoint, inSandboxes, when } from '../core/runner.ts';
import { ProtocolError } from '../core/errors.ts';
import { missingPermission } from '../core/resource-errors.ts';
import { requireRead, respondError, respondJson } from '../core/responses.ts';
import { userClaims } from '../identity/id-token.ts';
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
	const needed = neededScopes(context);
	if (needed.length > 0 && !needed.some((scope) => scopes.includes(scope)))
		throw missingPermission(context, needed.join(' '), undefined, { granted: scopes });
	context.user = username;
	context.note(scopes.join(' '));
});

/** Scopes of which a token needs one. Providers have APIs that need none. */
function neededScopes({ surface }: UserInfoContext): readonly string[] {
	return surface?.endpoint === undefined ? [openidScope] : (surface.endpoint.scopes ?? []);
}

/** Faults of resources concern the API of a provider, too. */
const ofFaultyProvider = (context: UserInfoContext) => context.surface !== undefined && hasFaults(context);

const limitProvider = inSandboxes<UserInfoContext>(
	({ dialect }) => dialect.rateLimit !== undefined,
	[enforceRateLimit('character')]
);

/** Some APIs reject requests that do not say which application sends them. */
const requireUserAgent = inSandboxes<UserInfoContext>(
	({ dialect }) => dialect.userAgent !== undefined,
	[
		check('provider.user_agent_sent', (context) => {
			const sent = context.header('user-agent') ?? '';
			if (sent === '') throw new ProtocolError('forbidden', 'Send the name of the application as User-Agent.');
			context.note(sent.slice(0, 100));
		})
	]
);

const respondUser = check<UserInfoContext>('userinfo.returned', async (context) => {
	await uncountSuccess(context);
	const { user, sandbox, accessToken } = context;
	context.note(user);
	return respondJson(context, 200, userClaims(sandbox, user, accessToken.scopes));
});

/** The user of an access token, `GET` or `POST /ws/oauth2/userinfo` (OpenID Connect Core 1.0, section 5.3). Only APIs of simulated providers have a rate limit here. */
export const userInfo = endpoint(
	UserInfoContext,
	[
		rejectBlacklisted,
		requireMetadata,
		allowOrigins('GET, POST'),
		...when(ofFaultyProvider, injectRateLimit('character')),
		...limitProvider,
		checkMethod,
		...inSandboxes(hasFaults, when(ofFaultyProvider, [injectFault])),
		...requireUserAgent,
		...accessTokenChecks,
		checkScope,
		respondUser
	],
	respondError
);
