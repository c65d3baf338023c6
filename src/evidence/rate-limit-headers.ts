import type { TrafficEntry } from '#api/control/traffic.ts';

export function responseHeader({ response }: TrafficEntry, name: string): string | undefined {
	return response?.headers.find(([found]) => found.toLowerCase() === name.toLowerCase())?.[1];
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
export function rateLimitOf(entry: TrafficEntry): RateLimitHeaders | undefined {
	const number = (name: string) => Number(responseHeader(entry, name) ?? NaN);
	const found = {
		limit: number('X-RateLimit-Limit'),
		remaining: number('X-RateLimit-Remaining'),
		reset: number('X-RateLimit-Reset'),
		date: Date.parse(responseHeader(entry, 'Date') ?? '') / 1000
	};
	return Object.values(found).some(Number.isNaN) ? undefined : found;
}
