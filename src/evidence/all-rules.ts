import { callRules } from './rules/call.ts';
import { callbackRules } from './rules/callback.ts';
import { delegationRules } from './rules/delegation.ts';
import { dpopRules } from './rules/dpop.ts';
import { deviceRules } from './rules/device.ts';
import { exchangeRules } from './rules/exchange.ts';
import { installedRules } from './rules/installed.ts';
import { audienceRules, metadataRules, responseIssuerRules } from './rules/issuer.ts';
import { limitRules } from './rules/limit.ts';
import { assertionRules, pushedRules } from './rules/pushed.ts';
import { requestRules } from './rules/request.ts';
import { signOutRules } from './rules/signout.ts';
import { tokenRules } from './rules/token.ts';
import type { Rule } from './rule.ts';

/** All rules, in the order of a sign-in. */
export const allRules: readonly Rule[] = [
	...requestRules,
	...metadataRules,
	...pushedRules,
	...callbackRules,
	...responseIssuerRules,
	...exchangeRules,
	...audienceRules,
	...tokenRules,
	...callRules,
	...limitRules,
	...signOutRules,
	...installedRules,
	...deviceRules,
	...dpopRules,
	...delegationRules,
	...assertionRules
];
