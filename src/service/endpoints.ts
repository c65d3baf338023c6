import type { ServiceEndpoint } from '#api/endpoints.ts';
import { account, changeAccount } from './account/account.ts';
import { endSessionEndpoint } from './account/end-session.ts';
import { authorize, postAuthorization } from './authorization/authorize.ts';
import { deviceAuthorization } from './authorization/device-authorization.ts';
import { decideDevice, devicePage } from './authorization/device-page.ts';
import { pushedAuthorization } from './authorization/pushed-requests.ts';
import { accountsEndpoints } from './control/accounts.ts';
import { applicationsEndpoints } from './control/applications.ts';
import { authorizationsEndpoints, type HandleRequest } from './control/authorizations.ts';
import { blacklistEndpoints, ticketsEndpoints } from './control/tickets.ts';
import { noClasses } from './control/no-classes.ts';
import type { ClassEndpoints } from './control/classes.ts';
import { clientDocumentsEndpoints, hostedDocument } from './control/client-documents.ts';
import {
	clockEndpoints,
	faultsEndpoints,
	pauseEndpoints,
	settingsEndpoints,
	signingKeysEndpoints,
	testCardsEndpoints
} from './control/sandbox-controls.ts';
import { credentialsEndpoints } from './control/credentials.ts';
import { ownerKeysEndpoints, sandboxesEndpoints, statusEndpoints } from './control/sandboxes.ts';
import { presetEndpoints } from './control/preset.ts';
import { sharesEndpoints } from './control/shares.ts';
import { snapshotEndpoints } from './control/snapshot.ts';
import { trafficEndpoints } from './control/traffic.ts';
import { worldEndpoints } from './control/world.ts';
import { unknownControl, unknownPath } from './not-found.ts';
import { noAgentServer } from './resource/no-agent-server.ts';
import { character } from './resource/character.ts';
import { ratelimiting } from './resource/ratelimiting.ts';
import { ratelimits } from './resource/ratelimits.ts';
import { createRecord, listRecords, readRecord } from './resource/records.ts';
import { userInfo } from './resource/userinfo.ts';
import type { Route } from './core/routes.ts';
import type { Endpoint } from './core/runner.ts';
import type { SandboxRegistry } from './sandbox-registry.ts';
import { publicKeys, resourceMetadata, serverMetadata } from './metadata/metadata.ts';
import { registration } from './metadata/register.ts';
import { introspection } from './token/introspect.ts';
import { revoke } from './token/revoke.ts';
import { revokeByForm } from './token/revoke-form.ts';
import { token } from './token/token.ts';

/**
 * The endpoint of every declaration.
 * @param handle handles a request that the service sends to itself
 * @param classEndpoints those of classes
 * @param agentServer the server for agents
 */
export function createEndpoints(
	registry: SandboxRegistry,
	handle: HandleRequest,
	classEndpoints: ClassEndpoints = noClasses,
	agentServer: Endpoint = noAgentServer
): Readonly<Record<ServiceEndpoint | Route['endpoint'], Endpoint>> {
	return {
		'GET /ws/oauth2/auth/': authorize,
		'POST /ws/oauth2/auth/': postAuthorization,
		'POST /ws/oauth2/token/': token,
		'GET /ws/oauth2/revoke': revoke,
		'POST /ws/oauth2/revoke': revokeByForm,
		'POST /ws/oauth2/introspect': introspection,
		'POST /ws/oauth2/register': registration,
		'POST /ws/oauth2/device_authorization': deviceAuthorization,
		'POST /ws/oauth2/par': pushedAuthorization,
		'GET /ws/oauth2/device': devicePage,
		'POST /ws/oauth2/device': decideDevice,
		'GET /ws/oauth2/clients/{document_name}': hostedDocument,
		'GET /.well-known/oauth-authorization-server': serverMetadata,
		'GET /.well-known/oauth-authorization-server/moved': serverMetadata,
		'GET /.well-known/openid-configuration': serverMetadata,
		'GET /ws/oauth2/jwks': publicKeys,
		'GET /ws/oauth2/userinfo': userInfo,
		'POST /ws/oauth2/userinfo': userInfo,
		'GET /.well-known/oauth-protected-resource': resourceMetadata,
		'GET /.well-known/oauth-protected-resource/{+resource_path}': resourceMetadata,
		'GET /ws/v2.0/character/{+character_name}': character,
		'POST /mcp': agentServer,
		'GET /ws/v2.0/ratelimits': ratelimits,
		'GET /ratelimiting': ratelimiting,
		'GET /ws/v2.0/{record_kind}': listRecords,
		'POST /ws/v2.0/{record_kind}': createRecord,
		'GET /ws/v2.0/{record_kind}/{record_id}': readRecord,
		'GET /ws/oauth2/logout': endSessionEndpoint,
		'POST /ws/oauth2/logout': endSessionEndpoint,
		'GET /account': account,
		'POST /account': changeAccount,
		...statusEndpoints,
		...worldEndpoints(registry),
		...sandboxesEndpoints(registry),
		...ownerKeysEndpoints,
		...presetEndpoints,
		...sharesEndpoints(registry),
		...snapshotEndpoints,
		...clockEndpoints,
		...settingsEndpoints,
		...signingKeysEndpoints,
		...testCardsEndpoints,
		...faultsEndpoints,
		...pauseEndpoints,
		...trafficEndpoints,
		...blacklistEndpoints,
		...ticketsEndpoints,
		...applicationsEndpoints,
		...clientDocumentsEndpoints,
		...accountsEndpoints,
		...authorizationsEndpoints(handle),
		...credentialsEndpoints(handle),
		...classEndpoints,
		'unknown control': unknownControl,
		'unknown path': unknownPath
	};
}
