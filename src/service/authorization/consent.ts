import { base64url } from '../encoding.ts';
import { grantKey, type Grant, type PendingRequest } from '../records.ts';
import type { AuthCall } from './authorization-context.ts';

type Asked = Pick<PendingRequest, 'scopes' | 'offline' | 'renew'>;

/** What the tokens will cover: what is asked for, and on renewal everything granted before (specification, 2.1). */
export function grantedScopes(asked: Asked, grant: Grant | undefined): readonly string[] {
	if (!asked.renew || grant === undefined) return asked.scopes;
	return [...new Set([...asked.scopes, ...grant.scopes])].sort();
}

/**
 * Whether the person need not be asked again (specification, section 3.1): a web application, every permission granted
 * before, and offline only if that was granted before. An installed application can't be authenticated and always asks.
 */
export function consentIsCovered(call: AuthCall): boolean {
	const { asked, grant, application } = call;
	if (grant === undefined || application.kind === 'installed') return false;
	return asked.scopes.every((scope) => grant.scopes.includes(scope)) && (!asked.offline || grant.offline);
}

/** What the signed-in person has granted the application so far. */
export async function findGrant(call: AuthCall): Promise<Grant | undefined> {
	const username = call.browser.session?.username;
	if (username === undefined) return undefined;
	return call.sandbox.area.get('grant', grantKey(username, call.application.client_id));
}

/** Adds what is asked for to the person's grant. What was granted before stays in it. */
export async function recordConsent(call: AuthCall, username: string): Promise<Grant> {
	const { client_id } = call.application;
	const fresh: Grant = {
		id: base64url(call.options.random(16)),
		username,
		client_id,
		scopes: call.asked.scopes,
		offline: call.asked.offline,
		since: call.sandbox.seconds(),
		refresh: []
	};
	const grant = await call.sandbox.area.update('grant', grantKey(username, client_id), (now) =>
		now === undefined
			? fresh
			: {
					...now,
					scopes: [...new Set([...now.scopes, ...call.asked.scopes])].sort(),
					offline: now.offline || call.asked.offline
				}
	);
	return grant ?? fresh;
}
