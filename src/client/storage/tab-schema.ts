import * as v from 'valibot';
import { accessType, count, format, validItems, texts, time } from './schema.ts';

const pairs = v.pipe(v.array(v.pipe(v.tuple([v.string(), v.string()]), v.readonly())), v.readonly());

const rateLimit = v.object({
	pattern: v.string(),
	limit: v.pipe(count, v.minValue(1)),
	remaining: count,
	// The latest time that a Date can hold.
	reset: v.pipe(time, v.minValue(-8.64e15), v.maxValue(8.64e15)),
	updatedAt: time
});

const signInOptions = v.object({
	scope: texts,
	access_type: accessType,
	renew_previously_granted: v.boolean(),
	pkce: v.boolean()
});

/** What the user chose in the sign-in form. */
export type SignInOptions = Readonly<v.InferOutput<typeof signInOptions>>;

const storedResponse = v.object({
	status: count,
	format,
	text: v.string(),
	requestId: v.nullable(v.string()),
	/** The scope of the access token. */
	scope: texts,
	/** When it arrived, in milliseconds since 1970 by the service's clock. */
	receivedAt: time
});

const lastLookup = v.object({
	userId: v.string(),
	name: v.string(),
	response: v.fallback(v.nullable(storedResponse), null)
});

/** The last character lookup, with its response if that may be kept. */
export type LastLookup = Readonly<v.InferOutput<typeof lastLookup>>;

const pollEntry = v.object({
	userId: v.string(),
	name: v.string(),
	/** Milliseconds since 1970 by this machine's clock. */
	requestedAt: time,
	activeAt: time,
	/** `ok`, an error code, or empty before the first request. */
	lastResult: v.string()
});

/** A character that is looked up again and again. */
export type PollEntry = Readonly<v.InferOutput<typeof pollEntry>>;

/** A page that has the viewer. A stored value that is anything else must not lead users to other pages, or away from this site. */
const startPage = v.pipe(v.string(), v.regex(/^\/(?:viewer|learn\/[a-z0-9-]+)$/));

const callbackResult = v.object({
	status: v.picklist(['exchanging', 'signed_in', 'failed']),
	userId: v.fallback(v.string(), ''),
	code: v.fallback(v.string(), ''),
	description: v.fallback(v.string(), ''),
	/** Of the token response that it failed with. */
	httpStatus: v.exactOptional(count),
	requestId: v.exactOptional(v.string())
});

/** What one tab shows, apart from its event log. Times are by the service's clock. */
export const tabStateSchema = v.object({
	activeUserId: v.fallback(v.nullable(v.string()), null),
	signInOptions: v.fallback(v.nullable(signInOptions), null),
	lastLookup: v.fallback(v.nullable(lastLookup), null),
	/** The character to look up after the next sign-in. */
	nextLookup: v.fallback(v.nullable(v.string()), null),
	rateLimits: validItems(rateLimit),
	pollEntries: validItems(pollEntry),
	/** The user who is signed out of the service while the client goes on, and the requests it has made since. */
	away: v.fallback(v.nullable(v.object({ userId: v.string(), requestCount: count })), null),
	callbackResult: v.fallback(v.nullable(callbackResult), null),
	/** The page where the last sign-in started, below the base URL. */
	startPage: v.fallback(startPage, '/viewer')
});

/** What one tab shows, apart from its event log. */
export type StoredTabState = Readonly<v.InferOutput<typeof tabStateSchema>>;

const clientEvent = v.object({
	/** Counts the events of this tab. */
	seq: count,
	/** Milliseconds since 1970 by the service's clock. */
	at: time,
	kind: v.picklist(['request', 'event']),
	/** The type of the core's event: `state_verified`. */
	type: v.exactOptional(v.string()),
	/** The first characters of the secrets that it is about, as the traffic log of the service shows them. */
	previews: v.exactOptional(texts),
	/** `X-Request-Id` of the response. */
	requestId: v.exactOptional(v.string()),
	tone: v.exactOptional(v.picklist(['ok', 'caution', 'error'])),
	/** `POST /ws/oauth2/token/` for a request. */
	message: v.string(),
	fields: pairs,
	section: v.exactOptional(v.string()),
	/** The result of a request: `200`, `canceled`, `no response`. Empty while it is in progress. */
	status: v.exactOptional(v.string()),
	/** Milliseconds from the request to the end of the response. */
	duration: v.exactOptional(time),
	/** The request and the response with headers and body, without their secrets. */
	request: v.exactOptional(v.string()),
	response: v.exactOptional(v.string())
});

/** An entry of the event log. It contains no secret. */
export type ClientEvent = Readonly<v.InferOutput<typeof clientEvent>>;

/** An event for other pages: without its messages, with the client and the tab that it belongs to. */
export const sharedEventSchema = v.object({
	...v.omit(clientEvent, ['request', 'response']).entries,
	source: v.string()
});

/** The event log of one tab. */
export const eventsSchema = validItems(clientEvent);
