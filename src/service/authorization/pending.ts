import type { Cause } from '#api/checks.ts';
import { ProtocolError } from '../core/errors.ts';
import type { PendingConsent } from '../sandbox/records.ts';
import type { AuthorizationContext } from './authorization-context.ts';
import { findBrowser, matchesBrowser } from '../access/cookies.ts';
import { findGrant } from './consent.ts';
import { matchesRegistered } from '../sandbox/redirect-uris.ts';

/**
 * Loads the pending authorization with this id, and the session of the browser.
 * @throws ProtocolError `forbidden`, the same for one that is unknown, completed, expired or of another browser
 */
export async function findPending(context: AuthorizationContext, id: string | undefined): Promise<PendingConsent> {
	context.browser = await findBrowser(context);
	const pending =
		id === undefined
			? undefined
			: await context.store.get('pending_authorization', context.options.digest(context.redact(id, 'interaction')));
	if (id === undefined || pending === undefined) throw unknown('unknown_interaction');
	if (pending.browser !== undefined && !matchesBrowser(context.browser, pending.browser))
		throw unknown('other_browser');
	const application = await context.store.get('application', pending.client_id);
	// A redirect URI that is no longer registered gets no response, not even an error.
	if (application === undefined || !matchesRegistered(application, pending.redirect_uri, context.dialect.loopback))
		throw unknown('redirect_uri_removed');
	context.flow = pending.flow;
	context.pendingId = id;
	context.application = application;
	context.client_id = application.client_id;
	context.authorizationRequest = pending;
	context.grant = await findGrant(context);
	return pending;
}

/**
 * Deletes the pending authorization, so that it is completed once.
 * @throws ProtocolError `forbidden` where another request completed it first
 */
export async function consumePending(context: AuthorizationContext): Promise<void> {
	const pending = await context.store.delete('pending_authorization', context.options.digest(context.pendingId ?? ''));
	if (pending === undefined) throw unknown('completed');
	context.canRedirect = true;
}

function unknown(cause: Cause): ProtocolError {
	return new ProtocolError(
		'forbidden',
		'This sign-in was completed, has expired, or was started in another browser, or cookies are disabled. If you went back to this page, go forward again. Otherwise start again from the application.',
		{ cause }
	);
}
