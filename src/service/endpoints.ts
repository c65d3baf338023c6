import { account, changeAccount } from './account/account.ts';
import { authorize } from './authorization/authorize.ts';
import { submitInteraction } from './authorization/submit-interaction.ts';
import * as accounts from './control/accounts.ts';
import { authorizationsEndpoint, type HandleRequest } from './control/authorizations.ts';
import { openAuthorizationResponse } from './control/authorization-response.ts';
import * as registration from './control/applications.ts';
import * as ownerKeys from './control/owner-keys.ts';
import * as blacklist from './control/blacklist.ts';
import * as clock from './control/clock.ts';
import * as events from './control/events.ts';
import * as credentials from './control/credentials.ts';
import * as faults from './control/faults.ts';
import { readPreset } from './control/preset.ts';
import { replayCodeEndpoint, replayRefreshTokenEndpoint } from './control/replay.ts';
import { sandboxEndpoints } from './control/sandboxes.ts';
import * as settings from './control/settings.ts';
import * as snapshot from './control/snapshot.ts';
import { listTestCards } from './control/test-cards.ts';
import * as tickets from './control/tickets.ts';
import * as traffic from './control/traffic.ts';
import { readWorld } from './control/world.ts';
import { unknownControl, unknownPath } from './not-found.ts';
import { character } from './resource/character.ts';
import { ratelimiting } from './resource/ratelimiting.ts';
import { ratelimits } from './resource/ratelimits.ts';
import type { EndpointName } from './routes.ts';
import type { Endpoint } from './runner.ts';
import type { SandboxRegistry } from './sandbox-registry.ts';
import { revoke } from './token/revoke.ts';
import { token } from './token/token.ts';

/**
 * The endpoint of every row of the route table.
 * @param handle handles a request that the service sends to itself
 */
export function createEndpoints(
	registry: SandboxRegistry,
	handle: HandleRequest
): Readonly<Record<EndpointName, Endpoint>> {
	return {
		authorize,
		submitInteraction,
		token,
		revoke,
		character,
		ratelimits,
		ratelimiting,
		account,
		changeAccount,
		...sandboxEndpoints(registry),
		...ownerKeys,
		...clock,
		...events,
		readPreset,
		readWorld,
		readSettings: settings.readSettings,
		changeSettings: settings.changeSettings,
		...faults,
		...snapshot,
		...traffic,
		listBlacklist: blacklist.listBlacklist,
		unblockAddress: blacklist.unblockAddress,
		...credentials,
		authorizeAsUser: authorizationsEndpoint(handle),
		openAuthorizationResponse,
		replayCode: replayCodeEndpoint(handle),
		replayRefreshToken: replayRefreshTokenEndpoint(handle),
		...tickets,
		...accounts,
		listTestCards,
		listApplications: registration.list,
		registerApplication: registration.register,
		readApplication: registration.read,
		changeApplication: registration.change,
		deleteApplication: registration.remove,
		rotateSecret: registration.rotateSecret,
		testRedirectUri: registration.testRedirectUri,
		unknownControl,
		unknownPath
	};
}
