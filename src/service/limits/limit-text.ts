import { type LimitAlgorithm, limitAlgorithms } from '#api/limit-algorithm.ts';
import { algorithms, counted, estimate, spacedUntil, type LimitPolicy, type LimitState } from './algorithms.ts';

type Reading = (state: LimitState | undefined, policy: LimitPolicy, now: number) => string;

/** What each algorithm reads, in words. */
const readings: Readonly<Record<LimitAlgorithm, Reading>> = {
	fixed_window: (state, { limit }) => `${state?.count ?? 0} of ${limit} used in this window`,
	sliding_log: (state, policy, now) =>
		`${used('sliding_log', state, policy, now)} of ${policy.limit} in the log of the last ${seconds(policy.window)}`,
	sliding_counter(state, policy, now) {
		const known = counted(state, policy, now);
		const total = round(estimate(known, policy, now));
		const part = Math.round(100 * (1 - (now - known.begin) / policy.window));
		return `${known.count} in this window and ${part} % of ${known.previous} in the one before are ${total} of ${policy.limit}`;
	},
	token_bucket: (state, policy, now) =>
		`${round(policy.limit - ahead(state, policy, now))} of ${policy.limit} tokens in the bucket`,
	leaky_bucket: (state, policy, now) =>
		`${round(ahead(state, policy, now))} in the queue, of ${algorithms.leaky_bucket.capacity(policy)}`,
	gcra: (state, policy, now) =>
		`${round(ahead(state, policy, now))} requests ahead of an even pace, of ${algorithms.gcra.capacity(policy)}`
};

/**
 * What an algorithm reads before it decides, for the trace: `Token bucket: 3.5 of 20 tokens in the bucket`.
 * @param state before the request
 */
export function readingText(
	algorithm: LimitAlgorithm,
	state: LimitState | undefined,
	policy: LimitPolicy,
	now: number
): string {
	return `${limitAlgorithms[algorithm]}: ${readings[algorithm](state, policy, now)}`;
}

function used(algorithm: LimitAlgorithm, ...[state, policy, now]: Parameters<Reading>): number {
	const { capacity, view } = algorithms[algorithm];
	return capacity(policy) - view(state, policy, now).remaining;
}

/** How many requests the next free time is ahead of now. */
function ahead(...[state, policy, now]: Parameters<Reading>): number {
	return policy.limit < 1 ? 0 : (Math.max(0, spacedUntil(state, now) - now) * policy.limit) / policy.window;
}

function round(count: number): number {
	return Math.round(count * 10) / 10;
}

function seconds(milliseconds: number): string {
	const count = milliseconds / 1000;
	return count === 1 ? '1 second' : `${count} seconds`;
}
