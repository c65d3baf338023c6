import { RateLimiterMemory } from 'rate-limiter-flexible';
import { expect, vi } from 'vitest';
import { algorithms, type LimitPolicy, type LimitState } from '#service/limits/algorithms.ts';
import { live, type StreamRequest } from './limit-models.ts';

/**
 * Compares the decisions of the fixed window with those of rate-limiter-flexible, which has no other of the algorithms. It takes the points
 * of rejected requests too, so they are given back. Needs fake timers.
 */
export async function compareWithLibrary(limits: LimitPolicy, stream: readonly StreamRequest[]): Promise<void> {
	const library = new RateLimiterMemory({ points: limits.limit, duration: limits.window / 1000 });
	let [now, state]: [number, LimitState | undefined] = [1_000_000, undefined];
	for (const { pause, cost } of stream) {
		now += pause;
		vi.setSystemTime(now);
		const points = Math.min(cost, limits.limit);
		const isAccepted = await library.consume('address', points).then(
			() => true,
			() => false
		);
		const after = isAccepted ? await library.get('address') : await library.reward('address', points);
		const decision = algorithms.fixed_window.take(live(state, now), limits, now, cost);
		expect(decision.isAccepted).toBe(isAccepted);
		state = decision.state;
		const { remaining, reset } = algorithms.fixed_window.view(state, limits, now);
		expect([remaining, reset - now]).toEqual([after?.remainingPoints, after?.msBeforeNext]);
	}
	// Each move of the clock looks at all timers.
	vi.clearAllTimers();
}
