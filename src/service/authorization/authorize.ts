import { requireMethod } from '../responses.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { injectFault } from '../checks/faults.ts';
import { endpoint, step } from '../runner.ts';
import { ask, holdRequest } from './interaction.ts';
import { AuthCall } from './authorization-context.ts';
import { findBrowser } from './session-cookie.ts';
import { consentIsCovered, findGrant } from './consent.ts';
import { deliverCode, deliverError } from './authorization-response.ts';
import { isNavigation } from './navigation.ts';
import {
	checkAccess,
	checkChallenge,
	checkParameters,
	checkRedirectUri,
	checkResponseType,
	checkScope,
	identifyApplication,
	readQuery
} from './request.ts';
import { resumeRequest } from './resume.ts';

// A POST is a decision: another endpoint of the same path.
const takeMethod = step<AuthCall>('the method is GET', '4', (call) => requireMethod(call, 'GET', 'POST'));

const recogniseBrowser = step<AuthCall>('who is signed in in this browser', '5', async (call) => {
	call.browser = await findBrowser(call);
	call.grant = await findGrant(call);
	call.saw(call.browser.session?.username ?? 'nobody');
});

const skipConsent = step<AuthCall>('whether all of it was granted before', '3.1', async (call) => {
	const { grant } = call;
	if (grant === undefined || !consentIsCovered(call)) return call.saw('no: the person is asked');
	if (!isNavigation(call)) return call.saw('yes, but this is no navigation: nothing is issued');
	call.saw(`yes: ${grant.scopes.join(' ')}`);
	return deliverCode(call, grant);
});

const askPerson = step<AuthCall>('the person signs in or decides', '5', async (call) => {
	await holdRequest(call);
	call.saw(call.browser.session === undefined ? 'sign-in page' : 'consent page');
	return ask(call);
});

/** The authorization endpoint, `GET /ws/oauth2/auth/` (specification, sections 2.1, 2.2 and 3.1). */
export const authorize = endpoint(
	AuthCall,
	[
		refuseBlacklisted,
		injectFault,
		takeMethod,
		resumeRequest,
		readQuery,
		identifyApplication,
		checkRedirectUri,
		checkParameters,
		checkResponseType,
		checkScope,
		checkAccess,
		checkChallenge,
		recogniseBrowser,
		skipConsent,
		askPerson
	],
	deliverError
);
