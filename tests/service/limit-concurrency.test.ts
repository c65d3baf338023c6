import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LimitState } from '#service/limits/algorithms.ts';
import { beginRequest, endRequest, longestRequest, openRequests } from '#service/checks/concurrency.ts';
import { live } from './limit-models.ts';

/** A request begins (1 to 60,000 ms after the last step), or an open one ends. */
const steps = fc.array(fc.record({ pause: fc.integer({ min: 0, max: 60_000 }), ends: fc.option(fc.nat(20)) }), {
	maxLength: 80
});

it('accepts a request exactly if fewer than the limit are open', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 5 }), steps, (limit, list) => {
			let [now, state]: [number, LimitState | undefined] = [1_000_000, undefined];
			let open: number[] = [];
			for (const { pause, ends } of list) {
				now += pause;
				open = open.filter((end) => end > now);
				expect(openRequests(live(state, now), now)).toBe(open.length);
				if (ends === null) {
					const admission = beginRequest(live(state, now), limit, now);
					expect(admission.isAccepted).toBe(open.length < limit);
					if (admission.isAccepted) open.push(admission.ends);
					state = admission.state;
				} else {
					const [ended] = open.splice(ends % Math.max(1, open.length), 1);
					if (ended !== undefined) state = endRequest(live(state, now), ended, now);
				}
			}
		})
	);
});

it('forgets a request whose end was never recorded, and ignores an end that comes twice', () => {
	const { state, ends } = beginRequest(undefined, 1, 0);
	expect(beginRequest(state, 1, longestRequest - 1).isAccepted).toBe(false);
	expect(beginRequest(state, 1, longestRequest).isAccepted).toBe(true);
	expect(endRequest(endRequest(state, ends, 10), ends, 20)).toBeUndefined();
});
