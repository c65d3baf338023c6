import type { TrackedRateLimit } from './tracker.ts';

/** What the resource client reports through `onEvent`. The types are stable. No event contains a token. */
export type RateLimitEvent =
	| { readonly type: 'rate_limit_updated'; readonly rateLimit: TrackedRateLimit }
	/** A request is delayed because the rate limit runs low. `delay` is in milliseconds. */
	| { readonly type: 'request_throttled'; readonly tokenSetId: string; readonly delay: number }
	/** The service rejected a request with the rate limit. `retryAt` is in milliseconds since 1970. */
	| { readonly type: 'rate_limit_exceeded'; readonly tokenSetId: string; readonly retryAt: number };
