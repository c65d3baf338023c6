import { leftOf, type Meter } from './ledger.ts';

/** Where a window is heading. */
export type Forecast =
	/** Too little is known. */
	| { readonly kind: 'unknown' }
	/** Empty already. */
	| { readonly kind: 'empty' }
	/** At this pace empty after so many milliseconds, before the reset. */
	| { readonly kind: 'empties'; readonly in: number; readonly pace: number }
	/** At this pace so many calls are left at the reset. */
	| { readonly kind: 'lasts'; readonly spare: number; readonly pace: number };

/** The pace is taken from this much of the past, in milliseconds. */
const span = 120_000;

/**
 * Says whether the budget will last, from the pace of the last two minutes.
 * @param meter with its history
 * @param now milliseconds, by the service's clock
 */
export function forecast(meter: Meter, now: number): Forecast {
	const left = leftOf(meter, now);
	if (left === 0) return { kind: 'empty' };
	const recent = meter.history.filter(({ at }) => now - at <= span);
	const [first] = recent;
	const last = recent.at(-1);
	if (now >= meter.reset || first === undefined || last === undefined || recent.length < 2) return { kind: 'unknown' };
	const spent = first.remaining - last.remaining;
	// Measured up to now, so that a pause lowers the pace; never over less than ten seconds, so that a burst is no pace.
	const pace = spent / Math.max(now - first.at, 10_000);
	if (pace <= 0) return { kind: 'lasts', spare: left, pace: 0 };
	const empties = left / pace;
	const reset = meter.reset - now;
	const perMinute = pace * 60_000;
	if (empties < reset) return { kind: 'empties', in: empties, pace: perMinute };
	return { kind: 'lasts', spare: Math.floor(left - pace * reset), pace: perMinute };
}
