import { providerChecks } from './provider.ts';
import {
	authorizationChecks,
	generalChecks,
	pageChecks,
	resourceChecks,
	revocationChecks,
	tokenChecks
} from './specification.ts';
import {
	agentChecks,
	clientAssertionChecks,
	clientDocumentChecks,
	deviceChecks,
	dpopChecks,
	logoutChecks,
	metadataChecks,
	pushedChecks,
	tokenExchangeChecks
} from './standards.ts';

/** The checks by the files of `src/content/checks`, where their texts are. */
export const checkFiles = {
	agent: agentChecks,
	authorization: authorizationChecks,
	'client-assertion': clientAssertionChecks,
	'client-document': clientDocumentChecks,
	device: deviceChecks,
	dpop: dpopChecks,
	general: generalChecks,
	logout: logoutChecks,
	metadata: metadataChecks,
	pages: pageChecks,
	provider: providerChecks,
	pushed: pushedChecks,
	resource: resourceChecks,
	revocation: revocationChecks,
	'token-exchange': tokenExchangeChecks,
	token: tokenChecks
} as const;

/** Every check of the service by its id, `<endpoint or area>.<snake_case>`. Ids and causes are stable, programs refer to them. */
export const checkRows = {
	...agentChecks,
	...authorizationChecks,
	...clientAssertionChecks,
	...clientDocumentChecks,
	...deviceChecks,
	...dpopChecks,
	...generalChecks,
	...logoutChecks,
	...metadataChecks,
	...pageChecks,
	...providerChecks,
	...pushedChecks,
	...resourceChecks,
	...revocationChecks,
	...tokenExchangeChecks,
	...tokenChecks
} as const;

/** The causes that several checks have, each with one meaning. Their texts are in `shared.yaml`. */
export const sharedCauses = [
	'body_too_large',
	'internal_error',
	'other_site',
	'sandbox_full',
	'store_unavailable',
	'too_many_attempts'
] as const;
