import fc from 'fast-check';
import { expect } from 'vitest';
import type { LimitAlgorithm } from '#api/limit-algorithm.ts';
import { algorithms, longestQueue, type LimitPolicy, type LimitState } from '#service/limits/algorithms.ts';

/** Decides about requests one after the other, from all that came before. Written apart from the product, and simpler. */
type Model = (policy: LimitPolicy) => (now: number) => boolean;

export const models: Readonly<Record<LimitAlgorithm, Model>> = {
	fixed_window: ({ limit, window }) => {
		let [begin, count] = [-Infinity, 0];
		return (now) => {
			if (now >= begin + window) [begin, count] = [now, 0];
			return ++count <= limit;
		};
	},
	sliding_log: ({ limit, window }) => {
		const accepted: number[] = [];
		return (now) => {
			const isAccepted = accepted.filter((at) => now - at < window).length < limit;
			if (isAccepted) accepted.push(now);
			return isAccepted;
		};
	},
	sliding_counter: ({ limit, window }) => {
		let [begin, last] = [0, -2];
		let counts = new Map<number, number>();
		return (now) => {
			// Nothing that was counted still counts: the windows begin with this request.
			if (now >= begin + (last + 2) * window) [begin, last, counts] = [now, -1, new Map()];
			const index = Math.floor((now - begin) / window);
			const part = (now - begin) / window - index;
			const used = (counts.get(index) ?? 0) + (counts.get(index - 1) ?? 0) * (1 - part);
			if (used > limit - 1 + 1e-6) return false;
			counts.set(index, (counts.get(index) ?? 0) + 1);
			last = index;
			return true;
		};
	},
	token_bucket: ({ limit, window }) => bucket(limit, limit / window),
	gcra: ({ limit, window }) => bucket(Math.max(1, Math.ceil(limit / 10)), limit / window),
	leaky_bucket: ({ limit, window }) => {
		const interval = window / limit;
		/** When each accepted request leaves the queue. */
		const leaves: number[] = [];
		return (now) => {
			const at = Math.max(now, (leaves.at(-1) ?? -Infinity) + interval);
			const isAccepted = at - now <= Math.min(longestQueue, window - interval) + 1e-6;
			if (isAccepted) leaves.push(at);
			return isAccepted;
		};
	}
};

function bucket(size: number, rate: number): (now: number) => boolean {
	let [tokens, last] = [size, 0];
	return (now) => {
		tokens = Math.min(size, tokens + (now - last) * rate);
		last = now;
		if (tokens < 1 - 1e-6) return false;
		tokens -= 1;
		return true;
	};
}

/** Limits and windows in seconds. */
export const policies = fc.record({ limit: fc.integer({ min: 1, max: 40 }), window: fc.integer({ min: 1, max: 120 }) });
/** Milliseconds between requests: many at once, some apart, some after a long time. */
export const pauses = fc.array(
	fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 300_000 })),
	{ minLength: 1, maxLength: 80 }
);
export const inMilliseconds = ({ limit, window }: LimitPolicy) => ({ limit, window: window * 1000 });

/** What is known once the store has deleted what has expired. */
export const live = (state: LimitState | undefined, now: number) =>
	state === undefined || state.expires <= now ? undefined : state;

/** Compares the decisions of an algorithm with those of its model, for a stream of requests. */
export function compareWithModel(name: LimitAlgorithm, limits: LimitPolicy, list: readonly number[]): void {
	const decide = models[name](limits);
	let [now, state]: [number, LimitState | undefined] = [1_000_000, undefined];
	for (const pause of list) {
		now += pause;
		const decision = algorithms[name].take(live(state, now), limits, now);
		expect(decision.isAccepted).toBe(decide(now));
		state = decision.state;
	}
}
