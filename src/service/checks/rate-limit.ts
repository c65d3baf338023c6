import { check, type Check } from '../check.ts';
import type { Context } from '../context.ts';
import { ProtocolError } from '../errors.ts';
import type { Settings, RateLimitWindow } from '../records.ts';
import { rateLimitDate } from '../time.ts';
import { blacklistAddress } from './blacklist.ts';

/** The length of a window: an hour from its first request (specification, section 8.1). */
const windowLength = 60 * 60 * 1000;

/** The limited resources, in the order of their rate limit records. */
export const limitedResources = ['character', 'ratelimits'] as const;
export type LimitedResource = (typeof limitedResources)[number];

const patterns: Record<LimitedResource, string> = {
	character: '/ws/v2.0/character/*',
	ratelimits: '/ws/v2.0/ratelimits'
};

/** A rate limit record (specification, section 2.5). */
export type RateLimitRecord = {
	readonly pattern: string;
	readonly limit: number;
	readonly remaining: number;
	/** Unix seconds. */
	readonly reset: number;
	readonly reset_time: string;
};

/**
 * Counts the request for its address, and rejects it over the limit (specification, sections 3.3 and 8). Every response from here
 * on has the four headers. Rejected requests count towards the blacklist.
 */
export function enforceRateLimit<C extends Context>(resource: LimitedResource): Check<C> {
	return check<C>('rate_limit.not_exceeded', 'The request is within the rate limit', '8', async (context) => {
		const { limits } = context.sandbox.state.settings;
		const now = context.now();
		const limit = limits[resource];
		const window = await context.sandbox.store.update(
			'rate_limit_window',
			windowKey(resource, context.address),
			(known) =>
				known === undefined
					? { count: 1, refused: limit < 1 ? 1 : 0, expires: now + windowLength }
					: {
							count: known.count + 1,
							refused: known.count < limit ? 0 : known.refused + 1,
							expires: Math.min(known.expires, now + windowLength)
						}
		);
		const record = recordOf(resource, limits, window, now);
		context.headers.push(...headersOf(record));
		context.note(`Request ${window?.count ?? 1} of ${limit} for ${context.address}`);
		if (window === undefined || window.count <= limit) return;
		if (window.refused >= limits.blacklist_after_refused) {
			await blacklistAddress(context, `${window.refused} requests to ${record.pattern} over the limit within one hour`);
		}
		throw new ProtocolError(
			'rate_limit_exceeded',
			`Rate limit exceeded: all ${limit} requests of this window are used. Wait until ${record.reset_time}. After ${limits.blacklist_after_refused} rejected requests in one window the address is blacklisted.`
		);
	});
}

/** The rate limit records of an address. Counts nothing. */
export async function rateLimitRecords(context: Context): Promise<RateLimitRecord[]> {
	const { limits } = context.sandbox.state.settings;
	const records: RateLimitRecord[] = [];
	for (const resource of limitedResources) {
		const window = await context.sandbox.store.get('rate_limit_window', windowKey(resource, context.address));
		records.push(recordOf(resource, limits, window, context.now()));
	}
	return records;
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
	const reset = Math.ceil((window?.expires ?? now + windowLength) / 1000);
	return {
		pattern: patterns[resource],
		limit,
		remaining: Math.max(0, limit - (window?.count ?? 0)),
		reset,
		reset_time: rateLimitDate(reset)
	};
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
