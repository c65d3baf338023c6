import type { RateLimitRecord } from '#api/protocol/rate-limits.ts';
import type { Context } from '../core/context.ts';
import type { ErrorDetails, Problem } from '../core/errors.ts';
import { httpDate } from '../core/time.ts';
import {
	algorithms,
	counted,
	estimate,
	type LimitPolicy,
	type LimitState,
	type LimitView,
	spacedUntil
} from '../limits/algorithms.ts';
import { type LimitAlgorithm, limitAlgorithms } from '#api/limit-algorithm.ts';

/** The headers of every response of a limited resource (specification, section 8.4). */
export function limitHeaders(record: RateLimitRecord): string[] {
	return [
		'X-RateLimit-Limit',
		String(record.limit),
		'X-RateLimit-Remaining',
		String(record.remaining),
		'X-RateLimit-Reset',
		String(record.reset),
		'X-RateLimit-ResetTime',
		record.reset_time
	];
}

/** Whole seconds until a time, at least 1. Waiting as long is always enough. */
function secondsUntil(time: number, now: number): number {
	return Math.max(1, Math.ceil((time - now) / 1000));
}

/** What a limit counts for, as a byte sequence (RFC 9651, section 3.3.5): the address that `X-Tollgate-Address` has too. */
export function partitionKey({ clientAddress }: Context): string {
	return `:${btoa(clientAddress)}:`;
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-10, for clients that know no older headers. None in a dialect without them.
 * @param name of the policy
 */
export function rateLimitFields(
	context: Context,
	name: string,
	{ limit, window }: LimitPolicy,
	{ remaining, more }: Pick<LimitView, 'remaining' | 'more'>
): string[] {
	if (!context.dialect.limit.fields) return [];
	const pk = partitionKey(context);
	const t = secondsUntil(more, context.now());
	return [
		'RateLimit-Policy',
		`"${name}";q=${limit};qu="requests";w=${window / 1000};pk=${pk}`,
		'RateLimit',
		`"${name}";r=${remaining};t=${t};pk=${pk}`
	];
}

const problems = 'https://iana.org/assignments/http-problem-types#';

/**
 * Status, headers and problem type of a response over a limit (specification, section 3.3; RFC 6585, section 4).
 * @param until when requests are accepted again, in milliseconds of the sandbox clock
 * @param name of the policy
 * @param isAbuse the client went on for so long that it is blacklisted now
 */
export function overLimit(
	{ dialect, sandbox }: Context,
	until: number,
	name: string,
	isAbuse = false
): Pick<ErrorDetails, 'status' | 'headers' | 'problem'> {
	if (dialect.limit.status !== 429) return {};
	const isDate = sandbox.state.settings.retry_after === 'date';
	const problem: Problem = {
		...(isAbuse
			? { type: `${problems}abnormal-usage-detected`, title: 'Abnormal usage detected' }
			: { type: `${problems}quota-exceeded`, title: 'Quota exceeded' }),
		'violated-policies': [name]
	};
	// Rounded up once: the sum of two rounded numbers names a time that is too early or too late (RFC 9110, section 10.2.3).
	const retryAfter = isDate
		? httpDate(Math.max(Math.ceil(until / 1000), sandbox.seconds() + 1))
		: String(secondsUntil(until, sandbox.now()));
	return { status: 429, headers: ['Retry-After', retryAfter], problem };
}

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
