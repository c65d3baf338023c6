import {
	algorithms,
	counted,
	estimate,
	intervalOf,
	logged,
	longestQueue,
	spacedUntil,
	type LimitPolicy,
	type LimitState
} from '#service/limits/algorithms.ts';
import type { LimiterName, LimiterRun, LimiterStep } from './limiters-setup.ts';

/** A state of a limiter at a moment. `state` is undefined where it knows nothing, or all that it knew has expired. */
export type Moment = {
	readonly algorithm: LimiterName;
	readonly policy: LimitPolicy;
	readonly state: LimitState | undefined;
	/** Milliseconds since 1970, as in the state. */
	readonly now: number;
	/** Of a fixed window: what each of its accepted requests cost. */
	readonly costs?: readonly number[];
};

/** What the state looks like. Shares are between 0 and 1. */
export type Picture = { readonly caption: string } &
	/** `costs`: the cells of one request have one outline. */
	(
		| { readonly kind: 'cells'; readonly filled: number; readonly of: number; readonly costs: readonly number[] }
		/** For each kept time: the share of the window until it expires. */
		| { readonly kind: 'bars'; readonly shares: readonly number[]; readonly of: number }
		/** `weight`: the share of the last window that still counts. */
		| { readonly kind: 'windows'; readonly last: number; readonly current: number; readonly weight: number }
		| { readonly kind: 'bucket'; readonly level: number; readonly isLeaking: boolean }
		/** How far the next free time is ahead, of the most that may be ahead after a request. `tolerated`: that a request may find. */
		| { readonly kind: 'line'; readonly ahead: number; readonly tolerated: number }
	);

/** How many requests can be in use: the dashed line. In a queue, the last one may leave in the middle of an interval. */
export function mostUsed({ algorithm, policy }: Pick<Moment, 'algorithm' | 'policy'>): number {
	if (algorithm === 'concurrency') return policy.limit;
	if (algorithm === 'leaky_bucket') return 1 + longestWait(policy) / intervalOf(policy);
	return algorithms[algorithm].capacity(policy);
}

/** The longest time that a request can wait in a queue, in milliseconds. */
function longestWait(policy: LimitPolicy): number {
	return Math.min(longestQueue, policy.window - intervalOf(policy));
}

/** How much is in use, also parts of requests. */
export function usedAt({ algorithm, policy, state, now }: Moment): number {
	if (state === undefined) return 0;
	if (algorithm === 'concurrency') return state.count;
	if (algorithm === 'fixed_window') return Math.min(state.count, policy.limit);
	if (algorithm === 'sliding_log') return logged(state, policy, now).length;
	if (algorithm === 'sliding_counter') return estimate(counted(state, policy, now), policy, now);
	return Math.max(0, spacedUntil(state, now) - now) / intervalOf(policy);
}

export function pictureOf(moment: Moment): Picture {
	const { algorithm, policy, state, now, costs = [] } = moment;
	const { limit, window } = policy;
	const used = usedAt(moment);
	const capacity = mostUsed(moment);
	if (algorithm === 'fixed_window')
		return { kind: 'cells', filled: used, of: limit, costs, caption: `${used} of ${limit} used` };
	if (algorithm === 'concurrency')
		return { kind: 'cells', filled: used, of: limit, costs: [], caption: `${used} of ${limit} open` };
	if (algorithm === 'sliding_log') {
		const shares = logged(state, policy, now).map((at) => 1 - (now - at) / window);
		return { kind: 'bars', shares, of: capacity, caption: `${shares.length} times kept` };
	}
	if (algorithm === 'sliding_counter') {
		const { begin, previous, count } = counted(state, policy, now);
		const weight = 1 - (now - begin) / window;
		return {
			kind: 'windows',
			last: previous / limit,
			current: count / limit,
			weight,
			caption: `${tenths(used)} of ${limit}`
		};
	}
	if (algorithm === 'token_bucket') {
		const left = limit - used;
		return { kind: 'bucket', level: left / limit, isLeaking: false, caption: `${tenths(left)} tokens left` };
	}
	const ahead = used * intervalOf(policy);
	if (algorithm === 'leaky_bucket')
		return { kind: 'bucket', level: used / capacity, isLeaking: true, caption: `${seconds(ahead)} queued` };
	const caption = ahead === 0 ? 'free now' : `free in ${seconds(ahead)}`;
	return { kind: 'line', ahead: used / capacity, tolerated: (capacity - 1) / capacity, caption };
}

/** One line of what a limiter read, and what it made of it. */
export type Fact = { readonly label: string; readonly value: string; readonly isDecisive?: true };

/**
 * How a limiter decided about a request, in its own terms. The third line is the one that decided.
 * @param start when the stream began, in milliseconds since 1970
 */
export function factsOf({ algorithm, policy, steps }: LimiterRun, step: LimiterStep, start: number): readonly Fact[] {
	const now = start + step.request.at;
	const { limit, window } = policy;
	const moment = { algorithm, policy, state: step.before, now };
	const used = usedAt(moment);
	const capacity = mostUsed(moment);
	const clock = (at: number) => seconds(at - start);
	const range = (from: number) => `${bare(from - start)} to ${clock(from + window)}`;
	const decisive = (label: string, value: string): Fact =>
		step.decision.isAccepted ? { label, value } : { label, value, isDecisive: true };
	const { cost } = step;
	const sum = `${tenths(used)} + ${cost} = ${tenths(used + cost)}`;
	const atMost = { label: 'At most', value: String(capacity) };
	if (algorithm === 'concurrency')
		return [
			{ label: 'Counts', value: 'requests in progress' },
			{ label: 'Open before', value: `${used} of ${limit}` },
			decisive('This request', sum),
			atMost
		];
	if (algorithm === 'fixed_window')
		return [
			{ label: 'Window', value: range((step.before?.expires ?? now + window) - window) },
			{ label: 'Used before', value: `${used} of ${limit}` },
			decisive('This request', sum),
			atMost
		];
	if (algorithm === 'sliding_log')
		return [
			{ label: 'Window', value: `${bare(Math.max(0, now - window - start))} to ${clock(now)}` },
			{ label: 'Times kept', value: `${used} of ${capacity}` },
			decisive('This request', sum),
			atMost
		];
	if (algorithm === 'sliding_counter') {
		const { begin, previous, count } = counted(step.before, policy, now);
		const weight = 1 - (now - begin) / window;
		return [
			{ label: 'Last window', value: `${previous} × ${tenths(weight * 100)} % = ${tenths(previous * weight)}` },
			{ label: 'This window', value: String(count) },
			decisive('This request', sum),
			atMost
		];
	}
	if (algorithm === 'token_bucket') {
		const before = steps[steps.indexOf(step) - 1];
		const at = start + (before?.request.at ?? 0);
		const left = limit - usedAt({ ...moment, state: before?.decision.state, now: at });
		const interval = intervalOf(policy);
		return [
			{ label: `Tokens at ${clock(at)}`, value: tenths(left) },
			{ label: 'Refill', value: `${seconds(now - at)} ÷ ${seconds(interval)} = ${tenths((now - at) / interval)}` },
			decisive('Tokens now', `${tenths(limit - used)}${limit - used >= limit ? ', full' : ''}`),
			{ label: 'Needed', value: String(cost) }
		];
	}
	const ahead = used * intervalOf(policy);
	if (algorithm === 'leaky_bucket')
		return [
			{ label: 'Leaves the queue', value: `1 each ${seconds(intervalOf(policy))}` },
			{ label: 'Queued before', value: `${tenths(used)} requests` },
			decisive('This request waits', seconds(ahead)),
			{ label: 'At most', value: seconds(longestWait(policy)) }
		];
	return [
		{ label: 'Spacing', value: seconds(intervalOf(policy)) },
		{ label: 'Next free time', value: clock(now + ahead) },
		decisive('Ahead of now', seconds(ahead)),
		{ label: 'At most', value: seconds((capacity - 1) * intervalOf(policy)) }
	];
}

/** The verdict: `Rejected. Next free in 4.6 s`. */
export function verdictOf(
	{ algorithm, policy }: LimiterRun,
	{ decision, request, cost }: LimiterStep,
	start: number
): string {
	if (decision.isAccepted) return decision.delay > 0 ? `Accepted after ${seconds(decision.delay)}` : 'Accepted';
	if (algorithm === 'concurrency') return 'Rejected. Free when a response is sent';
	const now = start + request.at;
	return `Rejected. Next free in ${seconds(algorithms[algorithm].view(decision.state, policy, now, cost).reset - now)}`;
}

/** What a limiter is set to: `10 per 60 s`. */
export function policyText({ algorithm, policy }: Pick<LimiterRun, 'algorithm' | 'policy'>): string {
	const { limit, window } = policy;
	const interval = seconds(intervalOf(policy));
	if (algorithm === 'concurrency') return `${limit} at the same time`;
	if (algorithm === 'token_bucket') return `${limit}, refill 1 per ${interval}`;
	if (algorithm === 'leaky_bucket') return `1 per ${interval}, queue of ${seconds(longestWait(policy))}`;
	if (algorithm === 'gcra') return `1 per ${interval}, ${mostUsed({ algorithm, policy })} at once`;
	return `${limit} per ${seconds(window)}`;
}

/** At most one digit behind the point. */
function tenths(value: number): string {
	return String(Math.round(value * 10) / 10);
}

function bare(milliseconds: number): string {
	return tenths(milliseconds / 1000);
}

/** `4.6 s`. @param milliseconds duration */
export function seconds(milliseconds: number): string {
	return `${bare(milliseconds)} s`;
}
