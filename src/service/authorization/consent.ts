import { base64url } from '../core/encoding.ts';
import { type FormFields, scopeSet } from '../core/form-fields.ts';
import {
	type Application,
	type AuthorizationRequest,
	type Grant,
	grantKey,
	type PendingConsent,
	type UserGrant
} from '../sandbox/records.ts';
import { Context } from '../core/context.ts';
import type { Browser } from '../access/cookies.ts';

type RequestedAccess = Pick<PendingConsent, 'scopes' | 'offline' | 'renew'>;

/** What a consent is recorded from. */
type ConsentBasis = Pick<AuthorizationContext, 'store' | 'sandbox' | 'options' | 'application'> & {
	readonly authorizationRequest: Pick<AuthorizationRequest, 'scopes' | 'offline'>;
};

/** The scopes of the tokens: what is requested, and on renewal everything granted before (specification, section 2.1). */
export function grantedScopes(requested: RequestedAccess, grant: Grant | undefined): readonly string[] {
	if (!requested.renew || grant === undefined) return requested.scopes;
	return scopeSet([...requested.scopes, ...grant.scopes]);
}

/**
 * Whether the user need not decide again (specification, section 3.1): a web application, every permission granted before, and
 * offline access only if granted before. A client can ask for the decision with `prompt=consent`. An installed application cannot be authenticated, so the user always decides.
 */
export function consentNotNeeded(context: AuthorizationContext): boolean {
	const { authorizationRequest, grant, application } = context;
	if (grant === undefined || application.kind === 'installed' || authorizationRequest.openid?.mustConsent === true)
		return false;
	return (
		authorizationRequest.scopes.every((scope) => grant.scopes.includes(scope)) &&
		(!authorizationRequest.offline || grant.offline)
	);
}

/** What the signed-in user has granted the application so far. */
export async function findGrant(context: AuthorizationContext): Promise<UserGrant | undefined> {
	const username = context.browser.session?.username;
	if (username === undefined) return undefined;
	const grant = await context.store.get('grant', grantKey(username, context.application.client_id));
	return grant && { ...grant, username };
}

/** Adds what is requested to the user's grant. */
export async function recordConsent(context: ConsentBasis, username: string): Promise<UserGrant> {
	const { client_id } = context.application;
	const fresh: UserGrant = {
		id: base64url(context.options.random(16)),
		username,
		client_id,
		scopes: context.authorizationRequest.scopes,
		offline: context.authorizationRequest.offline,
		since: context.sandbox.seconds(),
		refresh: []
	};
	const grant = await context.store.update('grant', grantKey(username, client_id), (now) =>
		now === undefined
			? fresh
			: {
					...now,
					scopes: scopeSet([...now.scopes, ...context.authorizationRequest.scopes]),
					offline: now.offline || context.authorizationRequest.offline
				}
	);
	return grant === undefined ? fresh : { ...grant, username };
}

/** The context of an authorization request, or of a form on its pages. */
export class AuthorizationContext extends Context {
	/** Set by the check that reads the query or the form. */
	fields!: FormFields;
	/** Set by the check that identifies the client. */
	application!: Application;
	/** Set by the check that reads the request, or loaded from the store. */
	authorizationRequest!: AuthorizationRequest;
	/** Set by the check that reads the session cookie. */
	browser!: Browser;
	/** Who has just sent a correct password. */
	verifiedUsername: string | undefined;
	/** The id of the pending authorization, once there is one. */
	pendingId: string | undefined;
	/** What the user has granted the application so far. */
	grant: UserGrant | undefined;
	/** Whether the client pushed the request. Set by `auth.request_uri_valid`. */
	isPushed = false;
	/** True once errors may be sent to the redirect URI. */
	canRedirect = false;
}
