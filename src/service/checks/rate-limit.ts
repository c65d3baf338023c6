import type { Settings } from '#api/control/settings.ts';
import type { Dialect } from '#api/dialect.ts';
import type { RateLimitRecord } from '#api/protocol/rate-limits.ts';
import { check, type Check } from '../core/check.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError, type ErrorDetails } from '../core/errors.ts';
import type { RateLimitWindow } from '../sandbox/records.ts';
import { addressHeader } from '../address/client-address.ts';
import { displayDuration, rateLimitDate } from '../core/time.ts';
import { blacklistAddress, ownerOfVirtual } from './blacklist.ts';

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
		const { limits } = context.sandbox.state.settings;
		const now = context.now();
		const limit = limits[resource];
		const windowLength = limits.window * 1000;
		const window = await context.store.update(
			'rate_limit_window',
			windowKey(resource, context.clientAddress),
			(known) =>
				known === undefined
					? { count: 1, refused: limit < 1 ? 1 : 0, expires: now + windowLength, ...ownerOfVirtual(context) }
					: {
							...known,
							count: known.count + 1,
							refused: known.count < limit ? 0 : known.refused + 1,
							expires: Math.min(known.expires, now + windowLength)
						}
		);
		const record = recordOf(resource, limits, window, now);
		const wait = secondsUntilReset(limits, window, now);
		const fields = context.dialect.limit.fields ? rateLimitFields(resource, limits, record, wait) : [];
		context.headers.push(...headersOf(record), ...fields, addressHeader, context.clientAddress);
		const count = window?.count ?? 1;
		context.note(`Request ${count} of ${limit} for ${context.clientAddress}`);
		context.compare(`request ${count} of this window`, [`at most ${limit} requests until ${record.reset_time}`]);
		if (window === undefined || window.count <= limit) return;
		const isBlacklisted = window.refused >= limits.blacklist_after_refused;
		if (isBlacklisted) {
			const duration = displayDuration(limits.window);
			await blacklistAddress(
				context,
				`${window.refused} requests to ${record.pattern} over the limit within ${duration}`
			);
		}
		throw new ProtocolError(
			'rate_limit_exceeded',
			`Rate limit exceeded: all ${limit} requests of this window are used. Wait until ${record.reset_time}. After ${limits.blacklist_after_refused} rejected requests in one window the address is blacklisted.`,
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
	const now = context.now();
	const window = await findWindow(context, resource);
	const record = { ...recordOf(resource, limits, window, now), remaining: 0 };
	const wait = secondsUntilReset(limits, window, now);
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
	return recordOf(resource, limits, await findWindow(context, resource), context.now());
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

function recordOf(
	resource: LimitedResource,
	limits: Settings['limits'],
	window: RateLimitWindow | undefined,
	now: number
): RateLimitRecord {
	const limit = limits[resource];
	const latest = now + limits.window * 1000;
	const reset = Math.ceil(Math.min(window?.expires ?? latest, latest) / 1000);
	return {
		pattern: patterns[resource],
		limit,
		remaining: Math.max(0, limit - (window?.count ?? 0)),
		reset,
		reset_time: rateLimitDate(reset)
	};
}

/** Whole seconds until the reset, at least 1. Waiting as long is always enough. */
function secondsUntilReset(limits: Settings['limits'], window: RateLimitWindow | undefined, now: number): number {
	const latest = now + limits.window * 1000;
	return Math.max(1, Math.ceil((Math.min(window?.expires ?? latest, latest) - now) / 1000));
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
