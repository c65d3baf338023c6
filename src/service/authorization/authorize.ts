import { errorTextFor } from '#api/error-text.ts';
import { check, endpoint, type Endpoint, inSandboxes, whenStandard } from '../core/runner.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { hasFaults, injectFault } from '../checks/faults.ts';
import { redirect, requireMethod } from '../core/responses.ts';
import { AuthorizationContext, consentNotNeeded, findGrant } from './consent.ts';
import { respondWithCode, respondWithDenied, respondWithError } from './authorization-response.ts';
import { completePending, declineForTestAccount, findPending } from './pending.ts';
import { formAction, renderInteraction, savePendingAuthorization } from './interaction.ts';
import { mustSignIn, readOpenidRequest, rejectPage } from './openid-request.ts';
import { isNavigation } from './navigation.ts';
import { namesPushed, pushedRequestChecks } from './pushed-requests.ts';
import { identifyClient, knownParameters, readQuery, rejectRequestObject, requestChecks } from './request.ts';
import { clientDocumentChecks } from '../token/client-document.ts';
import { findBrowser, readForm } from '../access/cookies.ts';
import { FormFields } from '../core/form-fields.ts';
import { describeFault, faultError } from '../checks/fault-responses.ts';
import { ProtocolError } from '../core/errors.ts';
import { takeFault } from '../sandbox/faults.ts';
import { decodePercent } from '#lib/percent.ts';
import type { ContextInit } from '../core/context.ts';
import { formOf } from '../sandbox/sandbox.ts';
import { submitInteraction } from './submit-interaction.ts';

/** Applies a fault that sends an error to the application. Requests that are not valid get their own error. */
const injectError = inSandboxes(hasFaults, [
	check<AuthorizationContext>('fault.error_not_injected', async (context) => {
		const fault = await takeFault(context, 'valid_request');
		if (fault === undefined) return;
		context.note(describeFault(fault));
		if (fault.kind === 'error_text')
			return respondWithDenied(context, errorTextFor(`${context.sandbox.base_url}/ratelimiting?canary=${fault.id}`));
		if (fault.error === 'access_denied') return respondWithDenied(context);
		const { code, message } = faultError(context, fault);
		// A redirect cannot carry a status, and RFC 6749 has codes for server errors for that reason (section 4.1.2.1).
		throw new ProtocolError(code, message, { status: 400 });
	})
]);

/** Continues a pending authorization after the user has signed in. */
const resumeAuthorization = check<AuthorizationContext>('auth.request_is_new', async (context) => {
	const fields = new FormFields(context.query);
	const id = fields.get('interaction');
	if (id === undefined || fields.has('client_id')) return context.note('New request');
	const pending = await findPending(context, id);
	context.note(`Pending authorization of ${context.application.client_id}`);
	if (context.grant !== undefined && !mustSignIn(context) && consentNotNeeded(context) && isNavigation(context)) {
		await completePending(context);
		return respondWithCode(context, context.grant);
	}
	const username = mustSignIn(context) ? undefined : context.browser.session?.username;
	if (username !== pending.promptedUser) {
		const digest = context.options.digest(id);
		await context.store.update(
			'pending_authorization',
			digest,
			(now) => now && { ...now, browser: now.browser ?? context.browser.id, promptedUser: username }
		);
	}
	return renderInteraction(context);
});

// POST submits an interaction: another endpoint of the same path.
const checkMethod = check<AuthorizationContext>('auth.method_is_get', (context) =>
	requireMethod(context, 'GET', 'POST')
);

const loadSession = check<AuthorizationContext>('auth.session_loaded', async (context) => {
	context.browser = await findBrowser(context);
	context.grant = await findGrant(context);
	context.note(context.browser.session?.username ?? 'No user is signed in');
});

const skipConsent = check<AuthorizationContext>('auth.consent_required', async (context) => {
	const { grant } = context;
	if (grant === undefined || mustSignIn(context) || !consentNotNeeded(context)) return;
	if (!isNavigation(context)) return context.note('Granted before, but this is no navigation: no code is issued');
	context.note(`Granted before: ${grant.scopes.join(' ')}`);
	return respondWithCode(context, grant);
});

/** Where all requests must be pushed (RFC 9126, section 5). The error goes to the application. */
const requirePushed = inSandboxes<AuthorizationContext>(
	({ dialect, sandbox }) => dialect.metadata && sandbox.state.settings.require_pushed_requests,
	[
		check('auth.request_pushed', ({ isPushed }) => {
			if (isPushed) return;
			throw new ProtocolError(
				'invalid_request',
				'This service takes pushed requests only. Send the parameters to pushed_authorization_request_endpoint, then its request_uri here.'
			);
		})
	]
);

const promptUser = check<AuthorizationContext>('auth.user_prompted', async (context) => {
	await savePendingAuthorization(context);
	context.note(mustSignIn(context) ? 'Sign-in page' : 'Consent page');
	// The request_uri works once, and the user may reload the page.
	if (context.isPushed) return redirect(context, `${formAction(context)}?interaction=${context.pendingId ?? ''}`);
	return renderInteraction(context);
});

/** The authorization endpoint, `GET /ws/oauth2/auth/` (specification, sections 2.1, 2.2 and 3.1). */
export const authorize = endpoint(
	AuthorizationContext,
	[
		rejectBlacklisted,
		injectFault,
		checkMethod,
		resumeAuthorization,
		readQuery,
		...clientDocumentChecks<AuthorizationContext>(({ fields }) => fields.get('client_id')),
		identifyClient,
		...whenStandard(namesPushed, pushedRequestChecks),
		...rejectRequestObject,
		...requestChecks,
		...requirePushed,
		...injectError,
		loadSession,
		...readOpenidRequest,
		declineForTestAccount,
		...rejectPage,
		skipConsent,
		promptUser
	],
	respondWithError
);

/** As a GET the browser sends its session cookie, which it leaves out of a POST from another site. Unknown fields stay out of the URL. */
const sendOn = check<AuthorizationContext>('auth.form_sent_on', (context) => {
	const pairs = (context.bodyText ?? '').split('&').filter((pair) => {
		return knownParameters.has(decodePercent(pair.split('=', 1)[0] ?? '', true) ?? '');
	});
	const query = pairs.join('&').replaceAll('#', '%23');
	context.note(`${pairs.length} parameters`);
	return redirect(context, `${formAction(context)}?${query}`);
});

const checkForm = check<AuthorizationContext>('auth.form_is_valid', (context) => {
	readForm(context, false);
});

/** An authorization request as a form (OpenID Connect Core 1.0, section 3.1.2.1). */
const authorizeByForm = endpoint(AuthorizationContext, [rejectBlacklisted, checkForm, sendOn], respondWithError);

/**
 * `POST /ws/oauth2/auth/`: an authorization request, or a form of the pages of this service, which names a pending authorization. Only
 * today's standards have requests by POST.
 */
export const postAuthorization: Endpoint = {
	checks: [...new Set([...submitInteraction.checks, ...authorizeByForm.checks])],
	open: (init) => (isRequest(init) ? authorizeByForm : submitInteraction).open(init)
};

function isRequest({ dialect, request }: ContextInit): boolean {
	if (!dialect.metadata) return false;
	const form = formOf(request);
	return !form.has('interaction') && (form.has('client_id') || form.has('response_type'));
}
