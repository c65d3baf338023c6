import * as v from 'valibot';
import { declare, type HeaderName } from '../declare.ts';
import { error } from './token.ts';

/** The headers of each resource response: of all (specification, section 8.4), and of today's standards. */
export const limitHeaders: readonly HeaderName[] = [
	'X-RateLimit-Limit',
	'X-RateLimit-Remaining',
	'X-RateLimit-Reset',
	'X-RateLimit-ResetTime',
	'RateLimit',
	'RateLimit-Policy'
];

/** Why a resource rejects a request, besides its own reasons. */
export const tokenErrors = {
	400: {
		specification: 'More than one access token was sent, or the rate limit is exceeded (`rate_limit_exceeded`).',
		standard: 'More than one access token was sent.'
	},
	401: 'The access token is missing, unknown, expired or revoked.',
	429: {
		specification: 'Too many attempts from this address.',
		standard: 'The rate limit is exceeded (`rate_limit_exceeded`), or too many attempts from this address.'
	}
} as const;

const whole = v.pipe(v.number(), v.integer());

/** A rate limit record (specification, section 2.5). */
export const rateLimitRecord = v.object({
	pattern: v.string(),
	limit: whole,
	remaining: whole,
	/** Unix seconds. */
	reset: whole,
	reset_time: v.string()
});

/** The records as one document. Its XML form has the same fields as attributes. */
export const rateLimitList = v.object({
	/** The version of this format (specification, section 9). */
	version: v.literal('1.0'),
	total: whole,
	ratelimit: v.array(rateLimitRecord)
});

/** The body of a response over a limit, in the dialect `standard` and in JSON (RFC 9457). */
export const limitProblem = v.object({
	type: v.string(),
	title: v.string(),
	'violated-policies': v.array(v.string()),
	status: whole,
	detail: v.string(),
	...error.entries
});

/** `GET /ws/v2.0/ratelimits`. */
export const rateLimits = v.object({ ratelimits: rateLimitList });

/** `GET /ratelimiting`. */
export const rateLimitStatus = v.object({
	state: v.picklist(['counting', 'limited', 'blacklisted']),
	address: v.string(),
	/** Why and since when (Unix seconds) the address is blacklisted. */
	reason: v.optional(v.string()),
	since: v.optional(v.number()),
	/** The page that files a ticket. */
	support: v.string(),
	/** Where programs file a ticket with POST. */
	tickets: v.string(),
	ratelimits: rateLimitList
});

export const rateLimitEndpoints = declare({
	'GET /ws/v2.0/ratelimits': {
		id: 'ratelimits',
		tag: 'Resources',
		access: 'access token',
		summary: 'Read the rate limits',
		description: 'One record for each limited resource, for the address of the caller (§ 2.5).',
		responses: { 200: { description: 'The records.', json: rateLimits, xml: 'ratelimits', headers: limitHeaders } },
		errors: tokenErrors
	},
	'GET /ratelimiting': {
		id: 'ratelimiting',
		tag: 'Resources',
		summary: 'Read the status of this address',
		description: 'The only endpoint that responds to a blacklisted address (§ 8.5). Needs no access token.',
		responses: {
			200: { description: 'The status.', json: rateLimitStatus, xml: 'ratelimiting', page: true }
		},
		errors: { 400: 'The address sent more than 60 requests in this minute.' }
	}
});

export type RateLimitRecord = v.InferOutput<typeof rateLimitRecord>;
export type RateLimitList = v.InferOutput<typeof rateLimitList>;
export type RateLimitStatus = v.InferOutput<typeof rateLimitStatus>;
