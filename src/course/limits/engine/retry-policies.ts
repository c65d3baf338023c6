import type { RetryPolicyName } from '#api/retry-policy.ts';

/** What a client knows when a request was rejected. Times are in milliseconds. */
type Rejection = {
	/** How often the same lookup was rejected, this time included. */
	readonly times: number;
	/** What `Retry-After` says: whole seconds, at least 1. */
	readonly retryAfter: number;
	/** At least 0, less than 1. */
	readonly random: () => number;
};

/** What a client knows when a request was accepted: the `RateLimit` field. */
type Acceptance = {
	readonly remaining: number;
	/** In milliseconds, from now. */
	readonly reset: number;
};

/** What a client does when a request is rejected. */
type RetryPolicy = {
	/** In forms and charts. */
	readonly label: string;
	/** How long it waits, for readers. */
	readonly waits: string;
	/** How long it waits before the next attempt, in milliseconds; undefined: it gives the lookup up. */
	readonly wait: (rejection: Rejection) => number | undefined;
	/** The least time until the next request after an accepted one, in milliseconds. */
	readonly pace?: (acceptance: Acceptance) => number;
};

const second = 1000;
/** Between attempts at a fixed interval. */
const fixedInterval = 5 * second;
/** The longest wait of the exponential policies. */
const longestBackOff = 64 * second;
/** The longest random time after `Retry-After`. */
export const longestJitter = 40 * second;

/** 1, 2, 4, 8 … seconds. */
const backOff = (times: number): number => Math.min(longestBackOff, second * 2 ** (times - 1));

/** What clients can do when a request is rejected, in the order of forms. */
export const retryPolicies = {
	none: { label: 'No retry', waits: 'gives the lookup up', wait: () => undefined },
	fixed: { label: 'Fixed, 5 s', waits: 'every 5 s', wait: () => fixedInterval },
	exponential: { label: 'Exponential', waits: '1, 2, 4 … 64 s', wait: ({ times }) => backOff(times) },
	exponential_jitter: {
		label: 'Exponential + jitter',
		waits: '0 to 1, 2, 4 … 64 s',
		wait: ({ times, random }) => backOff(times) * random()
	},
	retry_after: { label: 'Retry-After', waits: 'exactly Retry-After', wait: ({ retryAfter }) => retryAfter },
	jitter_below: {
		label: 'Jitter below Retry-After',
		waits: '0 to Retry-After',
		wait: ({ retryAfter, random }) => retryAfter * random()
	},
	jitter_above: {
		label: 'Retry-After + jitter above',
		waits: 'Retry-After + 0 to 40 s',
		wait: ({ retryAfter, random }) => retryAfter + longestJitter * random()
	},
	pace: {
		label: 'Pace by RateLimit',
		waits: 'spreads what remains until the reset',
		wait: ({ retryAfter }) => retryAfter,
		pace: ({ remaining, reset }) => (remaining === 0 ? reset : reset / remaining)
	}
} as const satisfies Record<RetryPolicyName, RetryPolicy>;

/** The policy of a name. */
export const retryPolicy = (name: RetryPolicyName): RetryPolicy => retryPolicies[name];
