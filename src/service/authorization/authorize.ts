import { requireMethod } from '../responses.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { injectFault } from '../checks/faults.ts';
import { endpoint, check } from '../runner.ts';
import { renderInteraction, savePendingAuthorization } from './interaction.ts';
import { AuthorizationContext } from './authorization-context.ts';
import { findBrowser } from './session-cookie.ts';
import { consentNotNeeded, findGrant } from './consent.ts';
import { respondWithCode, respondWithError } from './authorization-response.ts';
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

// A POST is a decision: another endpoint of the same path.
const checkMethod = check<AuthorizationContext>('the method is GET', '4', (context) =>
	requireMethod(context, 'GET', 'POST')
);

const loadSession = check<AuthorizationContext>('who is signed in in this browser', '5', async (context) => {
	context.browser = await findBrowser(context);
	context.grant = await findGrant(context);
	context.note(context.browser.session?.username ?? 'nobody');
});

const skipConsent = check<AuthorizationContext>('whether all of it was granted before', '3.1', async (context) => {
	const { grant } = context;
	if (grant === undefined || !consentNotNeeded(context)) return context.note('no: the person is asked');
	if (!isNavigation(context)) return context.note('yes, but this is no navigation: nothing is issued');
	context.note(`yes: ${grant.scopes.join(' ')}`);
	return respondWithCode(context, grant);
});

const promptUser = check<AuthorizationContext>('the person signs in or decides', '5', async (context) => {
	await savePendingAuthorization(context);
	context.note(context.browser.session === undefined ? 'sign-in page' : 'consent page');
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
		loadSession,
		skipConsent,
		promptUser
	],
	respondWithError
);
