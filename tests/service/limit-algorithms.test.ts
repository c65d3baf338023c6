import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { algorithms, type LimitState } from '#service/limits/algorithms.ts';
import { compareWithModel, inMilliseconds, live, streams, policies } from './limit-models.ts';
import { compareWithLibrary } from './limit-oracle.ts';

describe.each(limitAlgorithmNames)('%s', (name) => {
	const { capacity, take, view } = algorithms[name];

	// The nightly tests compare 10,000 streams.
	it('decides like a second model', () => {
		fc.assert(
			fc.property(policies, streams, (policy, stream) => compareWithModel(name, inMilliseconds(policy), stream)),
			{ numRuns: 200 }
		);
	});

	it('accepts as many requests as it says, then none until its reset', () => {
		fc.assert(
			fc.property(policies, streams, (policy, stream) => {
				const limits = inMilliseconds(policy);
				let [now, state]: [number, LimitState | undefined] = [1_000_000, undefined];
				for (const { pause, cost } of stream) state = take(live(state, (now += pause)), limits, now, cost).state;
				const { remaining } = view(live(state, now), limits, now);
				for (let count = 0; count < remaining; count++) {
					const decision = take(live(state, now), limits, now);
					expect(decision.isAccepted).toBe(true);
					state = decision.state;
				}
				const empty = view(live(state, now), limits, now);
				expect(empty.remaining).toBe(0);
				expect(take(live(state, now), limits, now).isAccepted).toBe(false);
				const reset = Math.ceil(empty.reset / 1000) * 1000;
				expect(take(live(state, reset), limits, reset).isAccepted).toBe(true);
				expect(empty.more).toBe(empty.reset);
				// What a counter counted weighs for two windows.
				expect(empty.reset - now).toBeLessThanOrEqual(limits.window * (name === 'sliding_counter' ? 2 : 1) + 1);
			}),
			{ numRuns: 200 }
		);
	});

	it('says how long a costly request has to wait, and takes nothing for a rejected one', () => {
		fc.assert(
			fc.property(policies, streams, fc.integer({ min: 1, max: 60 }), (policy, stream, cost) => {
				const limits = inMilliseconds(policy);
				let [now, state]: [number, LimitState | undefined] = [1_000_000, undefined];
				for (const request of stream)
					state = take(live(state, (now += request.pause)), limits, now, request.cost).state;
				const before = view(live(state, now), limits, now, cost);
				const decision = take(live(state, now), limits, now, cost);
				const after = view(live(decision.state, now), limits, now, cost);
				const units = Math.min(cost, capacity(limits));
				expect(decision.isAccepted).toBe(units <= before.remaining);
				if (decision.isAccepted) {
					expect(after.remaining).toBe(before.remaining - units);
					return;
				}
				expect(after).toEqual(before);
				const reset = Math.ceil(after.reset / 1000) * 1000;
				expect(take(live(decision.state, reset), limits, reset, cost).isAccepted).toBe(true);
				expect(view(live(decision.state, after.more), limits, after.more).remaining).toBeGreaterThan(after.remaining);
			}),
			{ numRuns: 300 }
		);
	});

	it('accepts no more after the clock was moved back, and allows requests again in a window', () => {
		const limits = { limit: 5, window: 60_000 };
		let state: LimitState | undefined;
		for (let count = 0; count < 8; count++) state = take(state, limits, 900_000).state;
		const earlier = take(state, limits, 500_000);
		expect(earlier.isAccepted).toBe(false);
		state = earlier.state;
		const { reset } = view(state, limits, 500_000);
		expect(reset).toBeLessThanOrEqual(500_000 + limits.window * (name === 'sliding_counter' ? 2 : 1));
		expect(take(live(state, reset), limits, reset).isAccepted).toBe(true);
	});

	it('accepts nothing at a limit of zero', () => {
		const limits = { limit: 0, window: 60_000 };
		const { isAccepted, state } = take(undefined, limits, 1000);
		expect([isAccepted, view(state, limits, 1000).remaining]).toEqual([false, 0]);
	});
});

// A fixed window counts until the store deletes it.
it.each(limitAlgorithmNames.filter((name) => name !== 'fixed_window'))(
	'%s is as if no request had come once its state expires',
	(name) => {
		const { take, view } = algorithms[name];
		fc.assert(
			fc.property(policies, streams, (policy, stream) => {
				const limits = inMilliseconds(policy);
				let [now, state]: [number, LimitState | undefined] = [1_000_000, undefined];
				for (const { pause, cost } of stream) state = take(live(state, (now += pause)), limits, now, cost).state;
				const { expires = now } = state ?? {};
				expect(view(undefined, limits, expires).remaining).toBe(view(state, limits, expires).remaining);
			}),
			{ numRuns: 200 }
		);
	}
);

it('lets a burst wait in the queue, one request in each interval', () => {
	const limits = { limit: 60, window: 60_000 };
	let state: LimitState | undefined;
	const delays = Array.from({ length: 12 }, () => {
		const decision = algorithms.leaky_bucket.take(state, limits, 0);
		state = decision.state;
		return decision.isAccepted ? decision.delay : undefined;
	});
	expect(delays).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000, undefined]);
});

it('decides, counts and resets a fixed window like rate-limiter-flexible', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	await fc.assert(
		fc.asyncProperty(policies, streams, (policy, stream) => compareWithLibrary(inMilliseconds(policy), stream)),
		{ numRuns: 200 }
	);
});
