import type { TrafficEntry } from '#api/control/traffic.ts';
import { failedAt } from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';

/** Whether the rate limit rejected a character request. */
export const isOverLimit = (entry: TrafficEntry) =>
	entry.endpoint === 'character' && failedAt(entry, 'rate_limit.not_exceeded');

/** The limit of each exchange that was asked for: conditions ask at each exchange about all before it. */
const limits = new WeakMap<TrafficEntry, number>();

function limitOf(entry: TrafficEntry): number {
	const limit = limits.get(entry) ?? rateLimitOf(entry)?.limit ?? NaN;
	limits.set(entry, limit);
	return limit;
}

/** The character requests of an address under a limit. A learner may have changed it, which proves nothing. */
export const callsUnder = (limit: number, address: string, entries: readonly TrafficEntry[]) =>
	entries.filter((entry) => entry.endpoint === 'character' && entry.address === address && limitOf(entry) === limit);
