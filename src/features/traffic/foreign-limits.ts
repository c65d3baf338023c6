import type { ForeignExchange } from '#evidence/har/har-reading.ts';
import { responseHeader } from '#evidence/rate-limit-headers.ts';
import { dateTimeText, timeText } from '#api/time-text.ts';

/** What the response of an exchange says about a rate limit. */
export type ForeignLimit = {
	readonly exchange: ForeignExchange;
	readonly limit: string;
	readonly remaining: string;
	/** When the window ends: `in 30 s`, or a time. */
	readonly reset: string;
	/** What a rejected request has to wait for. */
	readonly retry: string;
	/** The headers that say so. */
	readonly headers: readonly string[];
};

const names = /^(?:(?:x-)?rate-?limit(?:-.*)?|x-shopify-shop-api-call-limit|retry-after|x-app-rate-limit.*)$/i;

/** The exchanges whose responses name a rate limit, in whatever headers, and those that were rejected. */
export function foreignLimits(exchanges: readonly ForeignExchange[]): ForeignLimit[] {
	return exchanges.flatMap((exchange) => {
		const { entry } = exchange;
		const headers = (entry.response?.headers ?? []).filter(([name]) => names.test(name)).map(([name]) => name);
		if (headers.length === 0 && entry.response?.status !== 429) return [];
		const of = (...wanted: readonly string[]) =>
			wanted.map((name) => responseHeader(entry, name)).find((value) => value !== undefined) ?? '';
		// Shopify: `32/40`. The draft of the IETF: `limit=60, remaining=59, reset=30`, or `"default";r=59;t=30`.
		const [used, most] = of('x-shopify-shop-api-call-limit').split('/');
		const draft = of('ratelimit');
		const inDraft = (name: string) => new RegExp(`(?:^|[,;\\s])${name}=(\\d+)`).exec(draft)?.[1] ?? '';
		const policy = /(?:^|[;,\s])(?:q=)?(\d+)/.exec(of('ratelimit-policy'))?.[1] ?? '';
		const shared = ['x-ratelimit', 'ratelimit', 'x-rate-limit'];
		return [
			{
				exchange,
				limit: most ?? (of(...shared.map((name) => `${name}-limit`)) || inDraft('limit') || policy),
				remaining:
					most === undefined
						? of(...shared.map((name) => `${name}-remaining`)) || inDraft('remaining') || inDraft('r')
						: String(Number(most) - Number(used)),
				reset: timeOf(of(...shared.map((name) => `${name}-reset`)) || inDraft('reset') || inDraft('t')),
				retry: timeOf(of('retry-after')),
				headers
			}
		];
	});
}

/** Seconds, Unix seconds or milliseconds, or a date, as a reader understands it. */
function timeOf(value: string): string {
	if (!/^\d+(?:\.\d+)?$/.test(value)) {
		const date = Date.parse(value);
		return Number.isNaN(date) ? value : timeText(date);
	}
	const number = Number(value);
	if (number < 1e8) return `in ${number} s`;
	return dateTimeText(number < 1e11 ? number * 1000 : Math.min(number, 8e15));
}
