import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitAlgorithmNames, type LimitAlgorithm } from '#api/limit-algorithm.ts';
import { RateLimitTracker } from '#client/rate-limit/tracker.ts';
import { addSample, leftAtLeast, type Gauge } from '#features/viewer/gauge.ts';
import { algorithms, type LimitState } from '#service/limits/algorithms.ts';

const policy = { limit: 60, window: 600_000 };
const begin = 1_800_000_000_000;

/** A service with one limit, and the gauge that a client draws of its responses. Times are in milliseconds after the begin. */
class Watched {
	gauge: Gauge | undefined;
	#state: LimitState | undefined;
	readonly #tracker = new RateLimitTracker();

	constructor(readonly name: LimitAlgorithm) {}

	request(time: number): void {
		const now = begin + time;
		const { take, view, capacity } = algorithms[this.name];
		const { state, isAccepted } = take(this.#known(now), policy, now);
		this.#state = state;
		const { remaining, reset } = view(state, policy, now, 1);
		const shown = isAccepted ? { remaining, reset } : { remaining: 0, reset };
		const rateLimit = { ...shown, limit: capacity(policy), reset: Math.ceil(reset / 1000) * 1000 };
		this.gauge = addSample(this.gauge, this.#tracker.update('/ws', rateLimit, now, now));
	}

	/** How many requests would be accepted. */
	left(time: number): number {
		return algorithms[this.name].view(this.#known(begin + time), policy, begin + time).remaining;
	}

	/** What the gauge shows. */
	shown(time: number): number {
		return this.gauge === undefined ? NaN : leftAtLeast(this.gauge, begin + time);
	}

	#known(now: number): LimitState | undefined {
		return this.#state === undefined || this.#state.expires <= now ? undefined : this.#state;
	}
}

describe.each(limitAlgorithmNames)('the gauge of %s', (name) => {
	const hasWindows = name === 'fixed_window' || name === 'sliding_counter';

	it('never shows more than what is left, whenever one looks', () => {
		const pauses = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 80 });
		fc.assert(
			fc.property(pauses, fc.integer({ min: 0, max: 700_000 }), (list, later) => {
				const watched = new Watched(name);
				let time = 0;
				for (const pause of list) {
					time += pause;
					watched.request(time);
					expect(watched.shown(time)).toBeLessThanOrEqual(watched.left(time));
				}
				// Until its reset has moved, a bucket looks like a window.
				if (watched.gauge?.isGradual === true || hasWindows)
					expect(watched.shown(time + later)).toBeLessThanOrEqual(watched.left(time + later));
			}),
			{ numRuns: 200 }
		);
	});

	it('sees from the headers whether all requests come back at once', () => {
		const watched = new Watched(name);
		for (let call = 0; call < 10; call++) watched.request(call * 3000);
		// A queue for two has the same headers as a window for two.
		if (name !== 'leaky_bucket') expect(watched.gauge?.isGradual).toBe(!hasWindows);
	});
});

it('the last call of a burst takes over its reset, although it is earlier and near', () => {
	const watched = new Watched('gcra');
	for (const time of [0, 0, 10_952, 13_744, 15_854, 15_863, 19_000]) watched.request(time);
	expect([watched.shown(19_000), watched.left(19_000)]).toEqual([0, 0]);
});

it('a bucket has a course over its resets', () => {
	const watched = new Watched('token_bucket');
	for (let call = 0; call < 30; call++) watched.request(call * 5000);
	expect(watched.gauge?.samples).toHaveLength(30);
});

it('a gauge knows a fixed window again after the algorithm was changed back', () => {
	const [bucket, fixed] = [new Watched('token_bucket'), new Watched('fixed_window')];
	for (let call = 0; call < 5; call++) bucket.request(call * 5000);
	fixed.gauge = bucket.gauge;
	for (let call = 5; call < 9; call++) fixed.request(call * 5000);
	expect(fixed.gauge?.isGradual).toBe(false);
});

it('a window whose limit was read before its first request is a window', () => {
	const read = { pattern: '/ws', limit: 60, remaining: 60, reset: begin + 600_000, updatedAt: begin };
	const called = { ...read, remaining: 59, reset: begin + 602_000, updatedAt: begin + 1500 };
	expect(addSample(addSample(undefined, read), called).isGradual).toBe(false);
});
