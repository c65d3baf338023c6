import type { TrafficEntry } from '#api/control/traffic.ts';
import { onceFor } from './entry-memo.ts';

export function responseHeader({ response }: TrafficEntry, name: string): string | undefined {
	const wanted = name.toLowerCase();
	return response?.headers.find(([found]) => found.toLowerCase() === wanted)?.[1];
}

/** What the headers of a response say about the rate limit (section 8.4). */
export type RateLimitHeaders = {
	readonly limit: number;
	readonly remaining: number;
	/** When the window ends, in Unix seconds. */
	readonly reset: number;
	/** The `Date` of the response, in Unix seconds. */
	readonly date: number;
};

/** The rate limit of a response; undefined where it has none. */
export const rateLimitOf = onceFor(readRateLimit);

function readRateLimit({ response }: TrafficEntry): RateLimitHeaders | undefined {
	const sent = new Map<string, string>();
	for (const [name, value] of response?.headers ?? []) {
		const key = name.toLowerCase();
		if (!sent.has(key)) sent.set(key, value);
	}
	const number = (name: string) => Number(sent.get(name) ?? NaN);
	const found = {
		limit: number('x-ratelimit-limit'),
		remaining: number('x-ratelimit-remaining'),
		reset: number('x-ratelimit-reset'),
		date: Date.parse(sent.get('date') ?? '') / 1000
	};
	return Object.values(found).some(Number.isNaN) ? undefined : found;
}
