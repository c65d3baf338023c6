import { leftOf, type Budget } from '../resources/ledger.ts';

/** No call is held back for longer than this, in milliseconds. */
const longest = 20_000;
/** Below this share of the budget calls are spread out, at this share they come exactly as fast as the budget allows. */
const from = 0.5;
const full = 0.1;

/**
 * How long to hold back the next call, in milliseconds: nothing while more than half of the budget is left, then more and
 * more, until the rest lasts exactly to the reset (section 8.9).
 * @param budget what the last answer said
 * @param now milliseconds, by the service's clock
 */
export function pauseFor(budget: Budget | undefined, now: number): number {
	if (budget === undefined || now >= budget.reset) return 0;
	const left = leftOf(budget, now);
	if (left === 0) return 0;
	const strength = Math.min(1, Math.max(0, (from - left / budget.limit) / (from - full)));
	return Math.round(Math.min(longest, ((budget.reset - now) / left) * strength));
}
