import { accountsApi } from './control/accounts.ts';
import { applicationsApi } from './control/applications.ts';
import { authorizationsApi } from './control/authorizations.ts';
import { blacklistApi, ticketsApi } from './control/tickets.ts';
import { classesApi } from './control/classes.ts';
import { ownLessonsApi } from './control/own-lessons.ts';
import { clientDocumentsApi } from './control/client-documents.ts';
import { clockApi } from './control/clock.ts';
import { credentialsApi } from './control/credentials.ts';
import { faultsApi } from './control/faults.ts';
import { ownerKeysApi, sandboxesApi } from './control/sandboxes.ts';
import { pauseApi } from './control/pause.ts';
import { presetApi } from './control/preset.ts';
import { settingsApi } from './control/settings.ts';
import { signingKeysApi } from './control/signing-keys.ts';
import { sharesApi } from './control/shares.ts';
import { snapshotApi } from './control/snapshot.ts';
import { statusApi } from './control/status.ts';
import { testCardsApi } from './control/test-cards.ts';
import { trafficApi } from './control/traffic.ts';
import { worldApi } from './control/world.ts';
import type { Declaration, EndpointKey } from './declare.ts';
import { accountEndpoints } from './protocol/account.ts';
import { agentEndpoints, characterEndpoints, recordEndpoints } from './protocol/resources.ts';
import { authorizationEndpoints } from './protocol/authorization.ts';
import { pushedEndpoints } from './protocol/pushed.ts';
import { clientDocumentEndpoints, standardEndpoints } from './protocol/standard.ts';
import { deviceEndpoints } from './protocol/device.ts';
import { openidEndpoints } from './protocol/openid.ts';
import { rateLimitEndpoints } from './protocol/rate-limits.ts';
import { tokenEndpoints } from './protocol/token.ts';

/** The endpoints of the specification, and the account page. */
export const protocolEndpoints = {
	...authorizationEndpoints,
	...tokenEndpoints,
	...characterEndpoints,
	...standardEndpoints,
	...deviceEndpoints,
	...clientDocumentEndpoints,
	...pushedEndpoints,
	...openidEndpoints,
	...rateLimitEndpoints,
	...recordEndpoints,
	...agentEndpoints,
	...accountEndpoints
};

/** The control API, in the order of its documentation. */
export const controlEndpoints = {
	...statusApi,
	...worldApi,
	...sandboxesApi,
	...ownerKeysApi,
	...presetApi,
	...sharesApi,
	...snapshotApi,
	...clockApi,
	...settingsApi,
	...signingKeysApi,
	...testCardsApi,
	...faultsApi,
	...pauseApi,
	...trafficApi,
	...blacklistApi,
	...ticketsApi,
	...applicationsApi,
	...clientDocumentsApi,
	...accountsApi,
	...authorizationsApi,
	...credentialsApi,
	...classesApi,
	...ownLessonsApi
};

export const endpoints = { ...protocolEndpoints, ...controlEndpoints };

export type ServiceEndpoint = keyof typeof endpoints;

/** The endpoints with their keys, in the order of the OpenAPI document. */
export const endpointList: readonly (readonly [key: ServiceEndpoint, declaration: Declaration])[] =
	entriesOf(endpoints);

function entriesOf<K extends EndpointKey>(
	declarations: Readonly<Record<K, Declaration>>
): (readonly [K, Declaration])[] {
	const isKey = (key: string): key is K => key in declarations;
	return Object.entries<Declaration>(declarations).flatMap(([key, declaration]) =>
		isKey(key) ? [[key, declaration] as const] : []
	);
}
