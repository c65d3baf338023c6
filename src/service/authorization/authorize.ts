import { check } from '../core/check.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { injectFault } from '../checks/faults.ts';
import { requireMethod } from '../core/responses.ts';
import { endpoint } from '../core/runner.ts';
import { AuthorizationContext } from './authorization-context.ts';
import { respondWithCode, respondWithError } from './authorization-response.ts';
import { consentNotNeeded, findGrant } from './consent.ts';
import { declineForTestAccount } from './declining-account.ts';
import { injectError } from './inject-error.ts';
import { renderInteraction, savePendingAuthorization } from './interaction.ts';
import { isNavigation } from './navigation.ts';
import {
	checkAccessType,
	checkChallenge,
	checkParameters,
	checkRedirectUri,
	checkResponseType,
	checkScope,
	identifyClient,
	readQuery
} from './request.ts';
import { resumeAuthorization } from './resume.ts';
import { findBrowser } from '../access/cookies.ts';

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
	if (grant === undefined || !consentNotNeeded(context)) return;
	if (!isNavigation(context)) return context.note('Granted before, but this is no navigation: no code is issued');
	context.note(`Granted before: ${grant.scopes.join(' ')}`);
	return respondWithCode(context, grant);
});

const promptUser = check<AuthorizationContext>('auth.user_prompted', async (context) => {
	await savePendingAuthorization(context);
	context.note(context.browser.session === undefined ? 'Sign-in page' : 'Consent page');
	return renderInteraction(context);
});

/** The authorization endpoint, `GET /ws/oauth2/auth/` (specification, sections 2.1, 2.2 and 3.1). */
export const authorize = endpoint(
	AuthorizationContext,
	[
		refuseBlacklisted,
		injectFault,
		checkMethod,
		resumeAuthorization,
		readQuery,
		identifyClient,
		checkRedirectUri,
		checkParameters,
		checkResponseType,
		checkScope,
		checkAccessType,
		checkChallenge,
		...injectError,
		loadSession,
		declineForTestAccount,
		skipConsent,
		promptUser
	],
	respondWithError
);
