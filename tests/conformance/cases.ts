import type { Case } from './case.ts';
import { applicationCases } from './cases/applications.ts';
import { authorizationCases } from './cases/authorization.ts';
import { clockCases } from './cases/clock.ts';
import { virtualAddressCases } from './cases/virtual-addresses.ts';
import { codeCases } from './cases/codes.ts';
import { consentCases } from './cases/consent.ts';
import { grantedBeforeCases } from './cases/granted-before.ts';
import { pageCases } from './cases/pages.ts';
import { redirectUriCases } from './cases/redirect-uris.ts';
import { stateCases } from './cases/state.ts';
import { refreshCases } from './cases/refresh.ts';
import { recordCases } from './cases/records.ts';
import { resourceCases } from './cases/resources.ts';
import { revokeCases } from './cases/revoke.ts';
import { tokenResponseCases } from './cases/token-responses.ts';
import { tokenRequestCases } from './cases/token-requests.ts';
import { blacklistCases } from './cases/blacklist.ts';
import { credentialCases } from './cases/credentials.ts';
import { faultCases } from './cases/faults.ts';
import { formatCases } from './cases/formats.ts';
import { isolationCases } from './cases/isolation.ts';
import { limitSettingCases } from './cases/limit-settings.ts';
import { limitCases } from './cases/limits.ts';
import { messageCases } from './cases/messages.ts';
import { presetCases } from './cases/presets.ts';
import { sandboxCases } from './cases/sandboxes.ts';
import { sandboxOwnerCases } from './cases/sandbox-owners.ts';
import { standardAgentCases } from './cases/standard-agents.ts';
import { standardAuthorizationCases } from './cases/standard-authorization.ts';
import { standardBrowserCases } from './cases/standard-browsers.ts';
import { standardClientAssertionCases } from './cases/standard-client-assertions.ts';
import { standardClientCredentialCases } from './cases/standard-client-credentials.ts';
import { standardCredentialCases } from './cases/standard-credentials.ts';
import { standardPushedRequestCases } from './cases/standard-pushed-requests.ts';
import { standardRequestCases } from './cases/standard-requests.ts';
import { standardDpopCases } from './cases/standard-dpop.ts';
import { standardClientDocumentCases } from './cases/standard-client-documents.ts';
import { standardTokenExchangeCases } from './cases/standard-token-exchange.ts';
import { standardDeviceCases } from './cases/standard-devices.ts';
import { standardJwtAccessTokenCases } from './cases/standard-jwt-access-tokens.ts';
import { standardKeyCases } from './cases/standard-keys.ts';
import { standardOpenidCases } from './cases/standard-openid.ts';
import { standardResourceCases } from './cases/standard-resources.ts';
import { standardResourceIndicatorCases } from './cases/standard-resource-indicators.ts';
import { standardTokenCases } from './cases/standard-tokens.ts';
import { testCardCases } from './cases/test-cards.ts';
import { trafficCases } from './cases/traffic.ts';
import { ticketCases } from './cases/tickets.ts';

/** Every case of the suite: written once, run on every host. */
export const cases: readonly Case[] = [
	...redirectUriCases,
	...authorizationCases,
	...stateCases,
	...consentCases,
	...grantedBeforeCases,
	...pageCases,
	...codeCases,
	...tokenRequestCases,
	...tokenResponseCases,
	...refreshCases,
	...revokeCases,
	...credentialCases,
	...resourceCases,
	...recordCases,
	...limitCases,
	...limitSettingCases,
	...blacklistCases,
	...ticketCases,
	...formatCases,
	...messageCases,
	...applicationCases,
	...sandboxCases,
	...clockCases,
	...virtualAddressCases,
	...sandboxOwnerCases,
	...faultCases,
	...isolationCases,
	...testCardCases,
	...presetCases,
	...trafficCases,
	...standardAgentCases,
	...standardAuthorizationCases,
	...standardTokenCases,
	...standardResourceCases,
	...standardBrowserCases,
	...standardClientCredentialCases,
	...standardCredentialCases,
	...standardDeviceCases,
	...standardDpopCases,
	...standardTokenExchangeCases,
	...standardResourceIndicatorCases,
	...standardJwtAccessTokenCases,
	...standardClientDocumentCases,
	...standardPushedRequestCases,
	...standardClientAssertionCases,
	...standardRequestCases,
	...standardOpenidCases,
	...standardKeyCases
];
