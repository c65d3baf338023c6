import { agentChecks } from './agent.ts';
import { authorizationChecks } from './authorization.ts';
import { clientAssertionChecks } from './client-assertion.ts';
import { clientDocumentChecks } from './client-document.ts';
import { deviceChecks } from './device.ts';
import { dpopChecks } from './dpop.ts';
import { generalChecks } from './general.ts';
import { logoutChecks } from './logout.ts';
import { metadataChecks } from './metadata.ts';
import { pageChecks } from './pages.ts';
import { providerChecks } from './provider.ts';
import { pushedChecks } from './pushed.ts';
import { resourceChecks } from './resource.ts';
import { revocationChecks } from './revocation.ts';
import { tokenExchangeChecks } from './token-exchange.ts';
import { tokenChecks } from './token.ts';

/** The checks of each file of `src/content/checks`. */
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
