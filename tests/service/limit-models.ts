import fc from 'fast-check';
import { expect } from 'vitest';
import type { LimitAlgorithm } from '#api/limit-algorithm.ts';
import { algorithms, longestQueue, type LimitPolicy, type LimitState } from '#service/limits/algorithms.ts';

/** Decides about requests one after the other, from all that came before. Written apart from the product, and simpler. */
type Model = (policy: LimitPolicy) => (now: number, cost: number) => boolean;

export const models: Readonly<Record<LimitAlgorithm, Model>> = {
	fixed_window: ({ limit, window }) => {
		let [begin, count] = [-Infinity, 0];
		return (now, cost) => {
			if (now >= begin + window) [begin, count] = [now, 0];
			const isAccepted = count + Math.min(cost, limit) <= limit;
			if (isAccepted) count += Math.min(cost, limit);
			return isAccepted;
		};
	},
	sliding_log: ({ limit, window }) => {
		const accepted: { at: number; units: number }[] = [];
		return (now, cost) => {
			const units = Math.min(cost, limit);
			const used = accepted.reduce((sum, one) => (now - one.at < window ? sum + one.units : sum), 0);
			const isAccepted = used + units <= limit;
			if (isAccepted) accepted.push({ at: now, units });
			return isAccepted;
		};
	},
	sliding_counter: ({ limit, window }) => {
		let [begin, last] = [0, -2];
		let counts = new Map<number, number>();
		return (now, cost) => {
			const units = Math.min(cost, limit);
			// Nothing that was counted still counts: the windows begin with this request.
			if (now >= begin + (last + 2) * window) [begin, last, counts] = [now, -1, new Map()];
			const index = Math.floor((now - begin) / window);
			const part = (now - begin) / window - index;
			const used = (counts.get(index) ?? 0) + (counts.get(index - 1) ?? 0) * (1 - part);
			if (used > limit - units + 1e-6) return false;
			counts.set(index, (counts.get(index) ?? 0) + units);
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
		const longest = Math.min(longestQueue, window - interval) + 1e-6;
		return (now, cost) => {
			const first = Math.max(now, (leaves.at(-1) ?? -Infinity) + interval);
			const units = Array.from({ length: cost }, (_, at) => first + at * interval);
			// All wait their turn, or as many as the empty queue has room for.
			const fitting = units.filter((at) => at - first <= longest);
			const isAccepted = fitting.every((at) => at - now <= longest);
			if (isAccepted) leaves.push(...fitting);
			return isAccepted;
		};
	}
};

function bucket(size: number, rate: number): ReturnType<Model> {
	let [tokens, last] = [size, 0];
	return (now, cost) => {
		tokens = Math.min(size, tokens + (now - last) * rate);
		last = now;
		const units = Math.min(cost, size);
		if (tokens < units - 1e-6) return false;
		tokens -= units;
		return true;
	};
}

/** Limits and windows in seconds. */
export const policies = fc.record({ limit: fc.integer({ min: 1, max: 40 }), window: fc.integer({ min: 1, max: 120 }) });
/** A request: the milliseconds since the one before it, and what it costs. */
export type StreamRequest = { readonly pause: number; readonly cost: number };
/** Streams of requests: many at once, some apart, some after a long time. Most cost 1. */
export const streams: fc.Arbitrary<StreamRequest[]> = fc.array(
	fc.record({
		pause: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 300_000 })),
		cost: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 50 }) })
	}),
	{ minLength: 1, maxLength: 80 }
);
export const inMilliseconds = ({ limit, window }: LimitPolicy) => ({ limit, window: window * 1000 });

/** What is known once the store has deleted what has expired. */
export const live = (state: LimitState | undefined, now: number) =>
	state === undefined || state.expires <= now ? undefined : state;

/** Compares the decisions of an algorithm with those of its model, for a stream of requests. */
export function compareWithModel(name: LimitAlgorithm, limits: LimitPolicy, stream: readonly StreamRequest[]): void {
	const decide = models[name](limits);
	let [now, state]: [number, LimitState | undefined] = [1_000_000, undefined];
	for (const { pause, cost } of stream) {
		now += pause;
		const decision = algorithms[name].take(live(state, now), limits, now, cost);
		expect(decision.isAccepted).toBe(decide(now, cost));
		state = decision.state;
	}
}
