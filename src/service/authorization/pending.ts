import { ProtocolError } from '../errors.ts';
import type { PendingAuthorization } from '../records.ts';
import type { AuthorizationContext } from './authorization-context.ts';
import { findBrowser, matchesBrowser } from './session-cookie.ts';
import { findGrant } from './consent.ts';
import { matchesRegistered } from '../redirect-uris.ts';

/**
 * Finds the request that a form belongs to, and whose browser this is. One that is unknown, answered, expired or of
 * another browser gives one and the same error.
 * @throws ProtocolError `forbidden`
 */
export async function findPending(
	context: AuthorizationContext,
	id: string | undefined
): Promise<PendingAuthorization> {
	context.browser = await findBrowser(context);
	const pending =
		id === undefined
			? undefined
			: await context.sandbox.store.get('pending_authorization', context.options.digest(context.redact(id)));
	if (id === undefined || pending === undefined || !matchesBrowser(context.browser, pending.browser)) throw unknown();
	const application = await context.sandbox.store.get('application', pending.client_id);
	// A redirect URI that was taken back in the meantime gets no answer, not even a refusal.
	if (application === undefined || !matchesRegistered(application, pending.redirect_uri)) throw unknown();
	context.pendingId = id;
	context.application = application;
	context.client_id = application.client_id;
	context.authorizationRequest = pending;
	context.grant = await findGrant(context);
	return pending;
}

/**
 * Takes the request out of the store, so that it is answered once.
 * @throws ProtocolError `forbidden` where another answer was quicker
 */
export async function consumePending(context: AuthorizationContext): Promise<void> {
	const taken = await context.sandbox.store.delete(
		'pending_authorization',
		context.options.digest(context.pendingId ?? '')
	);
	if (taken === undefined) throw unknown();
	context.redirectable = true;
}

function unknown(): ProtocolError {
	return new ProtocolError(
		'forbidden',
		'This request was answered already, has expired, or was begun in another browser. Go back to the application and begin again. (Cookies must be on.)'
	);
}
