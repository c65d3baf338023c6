import type { DialectName } from '#api/dialect.ts';
import { boundAndExchangedExplanations } from './bound-and-exchanged.ts';
import { callExplanations } from './call.ts';
import { callbackExplanations } from './callback.ts';
import { deviceExplanations } from './device.ts';
import { endExplanations } from './end.ts';
import { exchangeExplanations } from './exchange.ts';
import type { RuleExplanation, RuleExplanations } from './explanation.ts';
import { issuerExplanations } from './issuer.ts';
import { limitExplanations } from './limit.ts';
import { pushedExplanations } from './pushed.ts';
import { requestExplanations } from './request.ts';
import { tokenExplanations } from './token.ts';

const all: RuleExplanations = {
	...requestExplanations,
	...callbackExplanations,
	...exchangeExplanations,
	...tokenExplanations,
	...callExplanations,
	...limitExplanations,
	...endExplanations,
	...deviceExplanations,
	...issuerExplanations,
	...boundAndExchangedExplanations,
	...pushedExplanations
};

/** Why a rule matters, with wrong and right code. Load this module on demand. Undefined where no rule has the id. */
export function explanationOf(rule: string, dialect: DialectName = 'specification'): RuleExplanation | undefined {
	const found = Object.hasOwn(all, rule) ? all[rule] : undefined;
	return found && dialect === 'standard' ? { ...found, ...found.standard } : found;
}
