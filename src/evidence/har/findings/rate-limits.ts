import type { TrafficEntry } from '#api/control/traffic.ts';

/** What the headers of a response say about a rate limit, whatever they are called. */
export type ForeignRateLimit = {
	/** The header that named it: `X-RateLimit-Remaining`. */
	readonly header: string;
	readonly limit?: number | undefined;
	readonly remaining?: number | undefined;
	/** When the window ends, in Unix milliseconds. */
	readonly resetAt?: number | undefined;
	/** What the window is called: `core`, `default`. */
	readonly name?: string | undefined;
	/** Seconds that the response asks to wait. */
	readonly retryAfter?: number | undefined;
};

/** A reset of more than this many seconds is a time since 1970. */
const yearInSeconds = 31_536_000;

/** The rate limit of a response: `X-RateLimit-*`, `RateLimit` (IETF draft), GitHub's, Shopify's and `Retry-After`. Undefined where it has none. */
export function rateLimitIn({ response, at }: Pick<TrafficEntry, 'response' | 'at'>): ForeignRateLimit | undefined {
	const headers = new Map(response?.headers.map(([name, value]) => [name.toLowerCase(), { name, value }]));
	const find = (...names: readonly string[]) => names.map((name) => headers.get(name)).find((one) => one !== undefined);
	const retry = find('retry-after');
	const retryAfter = retry === undefined ? undefined : secondsOf(retry.value, at);
	const now = Date.parse(find('date')?.value ?? '') || at;
	const part = (name: string) =>
		find(
			`x-ratelimit-${name}`,
			`x-rate-limit-${name}`,
			`ratelimit-${name}`,
			`x-ratelimit-${name}-requests`,
			`x-app-rate-limit-${name}`
		);
	const remaining = part('remaining');
	if (remaining !== undefined)
		return {
			header: remaining.name,
			limit: numberIn(part('limit')?.value),
			remaining: numberIn(remaining.value),
			resetAt: resetOf(part('reset')?.value, now),
			name: find('x-ratelimit-resource')?.value,
			retryAfter
		};
	const structured = find('ratelimit');
	if (structured !== undefined)
		return {
			...structuredLimit(structured.value, find('ratelimit-policy')?.value ?? '', now),
			header: structured.name,
			retryAfter
		};
	const calls = find('x-shopify-shop-api-call-limit', 'http_x_shopify_shop_api_call_limit');
	const [, used, limit] = /^(\d{1,9})\/(\d{1,9})$/.exec(calls?.value.trim() ?? '') ?? [];
	if (calls !== undefined && used !== undefined && limit !== undefined)
		return {
			header: calls.name,
			limit: Number(limit),
			remaining: Math.max(0, Number(limit) - Number(used)),
			retryAfter
		};
	if (retry === undefined || retryAfter === undefined) return undefined;
	return { header: retry.name, retryAfter, resetAt: now + retryAfter * 1000 };
}

/** `RateLimit: "default";r=50;t=30` and its policy `"default";q=100;w=60`, and the older `limit=100, remaining=50, reset=30`. */
function structuredLimit(value: string, policy: string, now: number): Omit<ForeignRateLimit, 'header'> {
	const field = (text: string, ...names: readonly string[]) =>
		names
			.map((name) => numberIn(new RegExp(String.raw`(?:^|[;,\s])${name}=(\d{1,12})`).exec(text)?.[1]))
			.find((one) => one !== undefined);
	const seconds = field(value, 't', 'reset');
	return {
		name: /^"([\w-]{1,40})"/.exec(value)?.[1],
		limit: field(policy, 'q') ?? field(value, 'limit'),
		remaining: field(value, 'r', 'remaining'),
		resetAt: seconds === undefined ? undefined : now + seconds * 1000
	};
}

/** The first number of a header. Some list several windows: `100, 100;w=60`. */
function numberIn(text = ''): number | undefined {
	const found = /^\s*(\d{1,12})\b/.exec(text)?.[1];
	return found === undefined ? undefined : Number(found);
}

/** Seconds from now, seconds since 1970, milliseconds since 1970, or a date. */
function resetOf(text: string | undefined, now: number): number | undefined {
	if (text === undefined) return undefined;
	const number = /^\s*\d{1,14}(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
	if (number === undefined) return Date.parse(text) || undefined;
	if (number > yearInSeconds * 1000) return number;
	return number > yearInSeconds ? number * 1000 : now + number * 1000;
}

/** The seconds of `Retry-After`, which also may be a date (RFC 9110, section 10.2.3). */
function secondsOf(text: string, now: number): number | undefined {
	const seconds = numberIn(text);
	if (seconds !== undefined && !/[a-z]/i.test(text)) return seconds;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, Math.round((date - now) / 1000));
}
