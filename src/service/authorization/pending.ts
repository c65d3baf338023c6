import type { Cause } from '#api/checks.ts';
import { ProtocolError } from '../core/errors.ts';
import type { PendingConsent } from '../sandbox/records.ts';
import { type AuthorizationContext, findGrant } from './consent.ts';
import { findBrowser, matchesBrowser } from '../access/cookies.ts';
import { matchesRegistered } from '../sandbox/redirect-uris.ts';
import { check } from '../core/runner.ts';
import { describeCard, findTestCard } from '../sandbox/test-cards.ts';
import { respondWithDenied } from './authorization-response.ts';

/**
 * Loads the pending authorization with this id, and the session of the browser.
 * @throws ProtocolError `forbidden`, the same for one that is unknown, expired or of another browser, and another for one that this
 * browser completed
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
	const { dialect, weaknesses } = context;
	if (application === undefined || !matchesRegistered(application, pending.redirect_uri, dialect, weaknesses))
		throw unknown('redirect_uri_removed');
	if (pending.isCompleted) throw completed();
	context.flow = pending.flow;
	context.pendingId = id;
	context.application = application;
	context.client_id = application.client_id;
	context.authorizationRequest = pending;
	context.grant = await findGrant(context);
	return pending;
}

/**
 * Completes the pending authorization. That works once.
 * @throws ProtocolError `forbidden` where another request completed it first
 */
export async function completePending(context: AuthorizationContext): Promise<void> {
	const outcome = { isFirst: false };
	await context.store.update('pending_authorization', context.options.digest(context.pendingId ?? ''), (now) => {
		outcome.isFirst = now !== undefined && now.isCompleted === undefined;
		return now && { ...now, isCompleted: true };
	});
	if (!outcome.isFirst) throw completed();
	context.canRedirect = true;
}

function unknown(cause: Cause): ProtocolError {
	return new ProtocolError(
		'forbidden',
		'This sign-in has expired, or was started in another browser, or cookies are disabled. Start again from the application.',
		{ cause }
	);
}

function completed(): ProtocolError {
	return new ProtocolError(
		'forbidden',
		'You have completed this sign-in, and the service has sent its response. Go forward to the application, or start again there.',
		{ cause: 'completed' }
	);
}

/** Declines in the place of the test account that always declines (specification, sections 2.2 and 7). */
export const declineForTestAccount = check<AuthorizationContext>(
	'consent.not_declined_by_test_account',
	async (context) => {
		const username = context.verifiedUsername ?? context.browser.session?.username;
		const card = findTestCard(context, 'account', username);
		if (card?.outcome !== 'access_denied') return;
		context.note(describeCard(card));
		context.username = username;
		if (context.pendingId !== undefined) await completePending(context);
		return respondWithDenied(context);
	}
);
