import { callbackRules } from './rules/callback.ts';
import { exchangeRules } from './rules/exchange.ts';
import { requestRules } from './rules/request.ts';
import type { Rule } from './rule.ts';

/** All rules, in the order of a sign-in. */
export const allRules: readonly Rule[] = [...requestRules, ...callbackRules, ...exchangeRules];
