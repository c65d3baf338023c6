import { base64url } from '../encoding.ts';
import { grantKey, type Grant, type PendingAuthorization } from '../records.ts';
import type { AuthorizationContext } from './authorization-context.ts';

type RequestedAccess = Pick<PendingAuthorization, 'scopes' | 'offline' | 'renew'>;

/** What the tokens will cover: what is asked for, and on renewal everything granted before (specification, 2.1). */
export function grantedScopes(asked: RequestedAccess, grant: Grant | undefined): readonly string[] {
	if (!asked.renew || grant === undefined) return asked.scopes;
	return [...new Set([...asked.scopes, ...grant.scopes])].sort();
}

/**
 * Whether the person need not be asked again (specification, section 3.1): a web application, every permission granted
 * before, and offline only if that was granted before. An installed application can't be authenticated and always asks.
 */
export function consentNotNeeded(context: AuthorizationContext): boolean {
	const { authorizationRequest, grant, application } = context;
	if (grant === undefined || application.kind === 'installed') return false;
	return (
		authorizationRequest.scopes.every((scope) => grant.scopes.includes(scope)) &&
		(!authorizationRequest.offline || grant.offline)
	);
}

/** What the signed-in person has granted the application so far. */
export async function findGrant(context: AuthorizationContext): Promise<Grant | undefined> {
	const username = context.browser.session?.username;
	if (username === undefined) return undefined;
	return context.sandbox.store.get('grant', grantKey(username, context.application.client_id));
}

/** Adds what is asked for to the person's grant. What was granted before stays in it. */
export async function recordConsent(context: AuthorizationContext, username: string): Promise<Grant> {
	const { client_id } = context.application;
	const fresh: Grant = {
		id: base64url(context.options.random(16)),
		username,
		client_id,
		scopes: context.authorizationRequest.scopes,
		offline: context.authorizationRequest.offline,
		since: context.sandbox.seconds(),
		refresh: []
	};
	const grant = await context.sandbox.store.update('grant', grantKey(username, client_id), (now) =>
		now === undefined
			? fresh
			: {
					...now,
					scopes: [...new Set([...now.scopes, ...context.authorizationRequest.scopes])].sort(),
					offline: now.offline || context.authorizationRequest.offline
				}
	);
	return grant ?? fresh;
}
