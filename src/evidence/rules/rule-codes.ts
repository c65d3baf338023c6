import { callRules } from './call.ts';
import { callbackRules } from './callback.ts';
import { delegationRules } from './delegation.ts';
import { dpopRules } from './dpop.ts';
import { deviceRules } from './device.ts';
import { exchangeRules } from './exchange.ts';
import { installedRules } from './installed.ts';
import { audienceRules, metadataRules, responseIssuerRules } from './issuer.ts';
import { limitRules } from './limit.ts';
import { assertionRules, pushedRules } from './pushed.ts';
import { requestRules } from './request.ts';
import { signOutRules } from './signout.ts';
import { tokenRules } from './token.ts';
import type { RuleCode } from '../rule.ts';

/** All rules, in the order of a sign-in. Their texts are in `src/content/rules`. */
export const ruleCodes: readonly RuleCode[] = [
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
