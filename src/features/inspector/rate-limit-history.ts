import type { TrafficEntry } from '#api/control/traffic.ts';
import { patternOfKind } from '#api/world/record-values.ts';
import { responseHeader } from './flow-messages.ts';

/** One call of a rate limited resource. */
export type CountedCall = {
	/** `X-Request-Id`. */
	readonly id: string;
	readonly seq: number;
	readonly at: number;
	/** How many requests it counts as. 0: it was not counted. */
	readonly cost: number;
	/** What the headers of the response report; undefined without a response. */
	readonly limit: number | undefined;
	readonly remaining: number | undefined;
	/** The end of the window, in milliseconds since 1970. */
	readonly reset: number | undefined;
	/** Null: no response. */
	readonly status: number | null;
	/** Over the limit, or from a blacklisted address. */
	readonly isRejected: boolean;
};

/** The calls of one address to one resource. */
export type RateLimitHistory = {
	readonly address: string;
	/** `/ws/v2.0/character/*`. */
	readonly pattern: string;
	/** The calls of the latest window, oldest first. */
	readonly calls: readonly CountedCall[];
	/** How many windows there were before. */
	readonly earlierWindows: number;
	readonly limit: number;
	readonly remaining: number;
	readonly reset: number;
	/** Calls in a row that were over the limit. They count toward the blacklist. */
	readonly rejected: number;
	/** The exchange after which the address was blacklisted, and why. */
	readonly blacklisted: { readonly id: string; readonly at: number; readonly reason: string } | undefined;
};

const patterns = new Map([
	['character', '/ws/v2.0/character/*'],
	['ratelimits', '/ws/v2.0/ratelimits']
]);

/**
 * The calls of each address and pattern, the latest used first.
 * @param entries oldest first
 */
export function rateLimitHistories(entries: readonly TrafficEntry[]): RateLimitHistory[] {
	const groups = new Map<string, { address: string; pattern: string; entries: TrafficEntry[] }>();
	for (const entry of entries) {
		const pattern = patterns.get(entry.endpoint) ?? kindPatternOf(entry);
		if (pattern === undefined || entry.request.method === 'OPTIONS') continue;
		const address = responseHeader(entry, 'x-tollgate-address') ?? entry.address;
		const key = `${address} ${pattern}`;
		const group = groups.get(key) ?? { address, pattern, entries: [] };
		group.entries.push(entry);
		// Last in the map: the latest used.
		groups.delete(key);
		groups.set(key, group);
	}
	return [...groups.values()].reverse().flatMap(({ address, pattern, entries }) => {
		const calls = entries.map(toCall);
		const last = calls.findLast(({ reset }) => reset !== undefined);
		if (last === undefined) return [];
		const { limit = 0, remaining = 0, reset = 0 } = last;
		const first = calls.findIndex((call) => call.reset === reset);
		const current = calls.slice(first);
		const counted = current.filter(({ cost }) => cost > 0);
		const accepted = counted.findLastIndex(({ isRejected }) => !isRejected);
		const windows = new Set(calls.flatMap((call) => (call.reset === undefined ? [] : [call.reset])));
		return {
			address,
			pattern,
			calls: current,
			limit,
			remaining,
			reset,
			earlierWindows: windows.size - 1,
			rejected: counted.length - 1 - accepted,
			blacklisted: blacklistedIn(entries)
		};
	});
}

/** The checks that reject a call over its limit, in all dialects: that of the limit, and that of a fault that acts as if it were reached. */
const limitChecks: ReadonlySet<string> = new Set(['rate_limit.not_exceeded', 'fault.rate_limit_not_injected']);

/** The call of an exchange. */
function toCall(entry: TrafficEntry): CountedCall {
	const number = (name: string) => {
		const text = responseHeader(entry, name);
		return text === undefined ? undefined : Number(text);
	};
	const reset = number('x-ratelimit-reset');
	const check = entry.trace.find(({ id }) => id === 'rate_limit.not_exceeded');
	return {
		id: entry.id,
		seq: entry.seq,
		at: entry.at,
		status: entry.response?.status ?? null,
		cost: check === undefined ? 0 : Number(/counts as (\d+)/.exec(check.found ?? '')?.[1] ?? 1),
		limit: number('x-ratelimit-limit'),
		remaining: number('x-ratelimit-remaining'),
		reset: reset === undefined ? undefined : reset * 1000,
		isRejected: isSilent(entry) || entry.trace.some(({ id, outcome }) => outcome === 'failed' && limitChecks.has(id))
	};
}

/** What the limit of a kind of the world applies to. Undefined: the request is for something else. */
function kindPatternOf({ endpoint, request }: TrafficEntry): string | undefined {
	const [, kind] = /\/ws\/v2\.0\/(\w+)/.exec(endpoint === 'records' ? request.target : '') ?? [];
	return kind && patternOfKind(kind);
}

function blacklistedIn(entries: readonly TrafficEntry[]): RateLimitHistory['blacklisted'] {
	const last = entries.at(-1);
	if (last === undefined || !isSilent(last)) return undefined;
	const silent = entries[entries.findLastIndex((entry) => !isSilent(entry)) + 1] ?? last;
	const detail = silent.trace.at(-1)?.detail ?? '';
	return { id: silent.id, at: silent.at, reason: detail.replace(/^.*? is blacklisted: /, '') };
}

/** Whether the address was blacklisted, so that there was no response. */
function isSilent({ response, trace }: TrafficEntry): boolean {
	return response === null && trace.at(-1)?.id === 'address.not_blacklisted';
}
