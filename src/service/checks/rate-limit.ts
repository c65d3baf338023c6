import type { Settings } from '#api/control/settings.ts';
import type { Dialect } from '#api/dialect.ts';
import type { RateLimitRecord } from '#api/protocol/rate-limits.ts';
import { type LimitAlgorithm, limitAlgorithms } from '#api/limit-algorithm.ts';
import { check, type Check } from '../core/check.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError, type ErrorDetails } from '../core/errors.ts';
import { algorithms, type Decision, type LimitPolicy, type LimitState, type LimitView } from '../limits/algorithms.ts';
import type { RateLimitWindow } from '../sandbox/records.ts';
import { addressHeader } from '../address/client-address.ts';
import { displayDuration, rateLimitDate } from '../core/time.ts';
import { blacklistAddress, ownerOfVirtual } from './blacklist.ts';
import { delayResponse } from './fault-responses.ts';

export const limitedResources = ['character', 'ratelimits'] as const;
export type LimitedResource = (typeof limitedResources)[number];

const patterns: Record<LimitedResource, string> = {
	character: '/ws/v2.0/character/*',
	ratelimits: '/ws/v2.0/ratelimits'
};

/**
 * Counts the request for its address, and rejects it over the limit (specification, sections 3.3 and 8). Every response from here
 * on has the four headers. Rejected requests count toward the blacklist.
 */
export function enforceRateLimit<C extends Context>(resource: LimitedResource): Check<C> {
	return check<C>('rate_limit.not_exceeded', async (context) => {
		const { limits, limit_algorithm: algorithm } = context.sandbox.state.settings;
		const now = context.now();
		const limit = limits[resource];
		const key = windowKey(resource, context.clientAddress);
		let decision: Decision | undefined;
		const window = await context.store.update('rate_limit_window', key, (known) => {
			decision = algorithms[algorithm].take(stateOf(known, algorithm), policyOf(resource, limits), now);
			return {
				...(known === undefined ? ownerOfVirtual(context) : ownerOf(known)),
				...(algorithm === 'fixed_window' ? {} : { algorithm }),
				...decision.state,
				refused: decision.isAccepted ? 0 : (known?.refused ?? 0) + 1
			};
		});
		const view = viewOf(context, resource, window);
		const record = recordOf(resource, limits, view);
		const wait = secondsUntil(view, now);
		const fields = context.dialect.limit.fields ? rateLimitFields(resource, limits, record, wait) : [];
		context.headers.push(...headersOf(record), ...fields, addressHeader, context.clientAddress);
		const { count = 1, refused: rejected = 0 } = window ?? {};
		if (algorithm === 'fixed_window') {
			context.note(`Request ${count} of ${limit} for ${context.clientAddress}`);
			context.compare(`request ${count} of this window`, [`at most ${limit} requests until ${record.reset_time}`]);
		} else {
			context.note(`${limitAlgorithms[algorithm]}: ${record.remaining} of ${limit} left for ${context.clientAddress}`);
			context.compare(`${count} of ${limit} requests are in use`, [`another request from ${record.reset_time} on`]);
		}
		if (decision?.isAccepted !== false) {
			if (decision !== undefined && decision.delay > 0) await delayResponse(context, decision.delay);
			return;
		}
		const isBlacklisted = rejected >= limits.blacklist_after_refused;
		if (isBlacklisted) {
			const duration = displayDuration(limits.window);
			await blacklistAddress(context, `${rejected} requests to ${record.pattern} over the limit within ${duration}`);
		}
		const used =
			algorithm === 'fixed_window'
				? `all ${limit} requests of this window are used`
				: `no request is left (${limitAlgorithms[algorithm]}, ${limit} requests in ${displayDuration(limits.window)})`;
		throw new ProtocolError(
			'rate_limit_exceeded',
			`Rate limit exceeded: ${used}. Wait until ${record.reset_time}. After ${limits.blacklist_after_refused} rejected requests in one window the address is blacklisted.`,
			{ ...overLimit(context.dialect, wait), cause: isBlacklisted ? 'now_blacklisted' : 'over_limit' }
		);
	});
}

/**
 * Rejects a request as over the limit. Counts nothing.
 * @throws ProtocolError `rate_limit_exceeded`, after it has set the four headers
 */
export async function rejectAsOverLimit(
	context: Context,
	resource: LimitedResource,
	description: string
): Promise<never> {
	const { limits } = context.sandbox.state.settings;
	const view = viewOf(context, resource, await findWindow(context, resource));
	const record = { ...recordOf(resource, limits, view), remaining: 0 };
	const wait = secondsUntil(view, context.now());
	const fields = context.dialect.limit.fields ? rateLimitFields(resource, limits, record, wait) : [];
	context.headers.push(...headersOf(record), ...fields);
	throw new ProtocolError('rate_limit_exceeded', description, overLimit(context.dialect, wait));
}

/**
 * Status and headers of a response over a limit (specification, section 3.3; RFC 6585, section 4).
 * @param seconds until requests are accepted again
 */
export function overLimit({ limit }: Dialect, seconds: number): Pick<ErrorDetails, 'status' | 'headers'> {
	return limit.status === 429 ? { status: 429, headers: ['Retry-After', String(seconds)] } : {};
}

/** The rate limit records of an address. Counts nothing. */
export async function rateLimitRecords(context: Context): Promise<RateLimitRecord[]> {
	const records: RateLimitRecord[] = [];
	for (const resource of limitedResources) records.push(await findRecord(context, resource));
	return records;
}

async function findRecord(context: Context, resource: LimitedResource): Promise<RateLimitRecord> {
	const { limits } = context.sandbox.state.settings;
	return recordOf(resource, limits, viewOf(context, resource, await findWindow(context, resource)));
}

async function findWindow(context: Context, resource: LimitedResource): Promise<RateLimitWindow | undefined> {
	return context.store.get('rate_limit_window', windowKey(resource, context.clientAddress));
}

/** The pattern of a resource in rate limit records; undefined where it is not limited. */
export function patternOf(resource: string): string | undefined {
	const limited = limitedResources.find((one) => one === resource);
	return limited && patterns[limited];
}

/** The key of the window of a resource and an address. */
export function windowKey(resource: LimitedResource, address: string): string {
	return `${resource} ${address}`;
}

function ownerOf({ createdBy }: RateLimitWindow): Pick<RateLimitWindow, 'createdBy'> {
	return createdBy === undefined ? {} : { createdBy };
}

function policyOf(resource: LimitedResource, limits: Settings['limits']): LimitPolicy {
	return { limit: limits[resource], window: limits.window * 1000 };
}

/** What an algorithm knows. Nothing where another one counted before. */
function stateOf(window: RateLimitWindow | undefined, algorithm: LimitAlgorithm): LimitState | undefined {
	return window === undefined || (window.algorithm ?? 'fixed_window') === algorithm ? window : undefined;
}

function viewOf(context: Context, resource: LimitedResource, window: RateLimitWindow | undefined): LimitView {
	const { limits, limit_algorithm: algorithm } = context.sandbox.state.settings;
	return algorithms[algorithm].view(stateOf(window, algorithm), policyOf(resource, limits), context.now());
}

function recordOf(resource: LimitedResource, limits: Settings['limits'], view: LimitView): RateLimitRecord {
	const reset = Math.ceil(view.reset / 1000);
	return {
		pattern: patterns[resource],
		limit: limits[resource],
		remaining: view.remaining,
		reset,
		reset_time: rateLimitDate(reset)
	};
}

/** Whole seconds until the reset, at least 1. Waiting as long is always enough. */
function secondsUntil({ reset }: LimitView, now: number): number {
	return Math.max(1, Math.ceil((reset - now) / 1000));
}

/** The fields of draft-ietf-httpapi-ratelimit-headers, for clients that know no older headers. */
function rateLimitFields(
	resource: LimitedResource,
	{ window }: Settings['limits'],
	{ limit, remaining }: RateLimitRecord,
	wait: number
): string[] {
	const policy = `"${resource}";q=${limit};w=${window}`;
	return ['RateLimit-Policy', policy, 'RateLimit', `"${resource}";r=${remaining};t=${wait}`];
}

function headersOf(record: RateLimitRecord): string[] {
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
