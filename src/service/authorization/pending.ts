import { ProtocolError } from '../errors.ts';
import type { PendingRequest } from '../records.ts';
import type { AuthCall } from './authorization-context.ts';
import { findBrowser, isSameBrowser } from './session-cookie.ts';
import { findGrant } from './consent.ts';
import { matchesRegistered } from '../redirect-uris.ts';

/**
 * Finds the request that a form belongs to, and whose browser this is. One that is unknown, answered, expired or of
 * another browser gives one and the same error.
 * @throws ProtocolError `forbidden`
 */
export async function findPending(call: AuthCall, id: string | undefined): Promise<PendingRequest> {
	call.browser = await findBrowser(call);
	const pending =
		id === undefined ? undefined : await call.sandbox.area.get('pending', call.options.digest(call.secret(id)));
	if (id === undefined || pending === undefined || !isSameBrowser(call.browser, pending.browser)) throw unknown();
	const application = await call.sandbox.area.get('application', pending.client_id);
	// A redirect URI that was taken back in the meantime gets no answer, not even a refusal.
	if (application === undefined || !matchesRegistered(application, pending.redirect_uri)) throw unknown();
	call.pendingId = id;
	call.application = application;
	call.client_id = application.client_id;
	call.asked = pending;
	call.grant = await findGrant(call);
	return pending;
}

/**
 * Takes the request out of the store, so that it is answered once.
 * @throws ProtocolError `forbidden` where another answer was quicker
 */
export async function takePending(call: AuthCall): Promise<void> {
	const taken = await call.sandbox.area.delete('pending', call.options.digest(call.pendingId ?? ''));
	if (taken === undefined) throw unknown();
	call.redirectable = true;
}

function unknown(): ProtocolError {
	return new ProtocolError(
		'forbidden',
		'This request was answered already, has expired, or was begun in another browser. Go back to the application and begin again. (Cookies must be on.)'
	);
}
