import * as v from 'valibot';
import { declare } from '../declare.ts';
import { limitAlgorithmNames } from '../limit-algorithm.ts';
import { instant } from './fields.ts';

const headers = v.pipe(v.array(v.pipe(v.tuple([v.string(), v.string()]), v.readonly())), v.readonly());

/** One check of a request. */
export const traceLine = v.object({
	/** The stable id of the check: `token.code_not_used`. */
	id: v.string(),
	/** The title of the check, for readers. */
	name: v.string(),
	/** A section of the specification ("2.3") or of an RFC ("RFC 6749 §5.2"). Empty where none requires the check. */
	section: v.string(),
	/** `passed`: the next check followed. `responded`: the check produced the response. `failed`: it rejected the request. */
	outcome: v.picklist(['passed', 'responded', 'failed']),
	/** The stable id of the cause, where a check can fail for several: `duplicate_field`. */
	cause: v.optional(v.string()),
	/** What the check saw, in words. Contains no secret. */
	detail: v.string(),
	/** What the request contained, and what the check expected, where the two can be compared. No secrets. */
	found: v.optional(v.string()),
	expected: v.optional(v.string()),
	/** The rate limit algorithm that decided. Absent of a fixed window. */
	algorithm: v.optional(v.picklist(limitAlgorithmNames)),
	/** Whole microseconds. */
	duration_us: v.number()
});

/** What a request did to a code, a token or a grant. An id is that of `GET credentials`. */
export const credentialEvent = v.variant('type', [
	v.object({
		type: v.literal('issued'),
		kind: v.picklist(['code', 'access_token', 'refresh_token']),
		id: v.string(),
		/** The code or refresh token that it was issued for. Absent of a token that the application got for itself. */
		from: v.optional(v.string()),
		grant: v.string(),
		/** Everything that one code exchange led to. Codes have none. */
		family: v.optional(v.string()),
		scopes: v.array(v.string()),
		/** Of an exchanged token: who acts for its user, the newest first. Empty: it names no one. */
		actors: v.optional(v.array(v.string())),
		/** Refresh tokens do not expire. */
		expires: v.optional(instant)
	}),
	v.object({
		type: v.literal('used'),
		kind: v.picklist(['code', 'access_token', 'refresh_token']),
		id: v.string()
	}),
	v.object({
		type: v.literal('ended'),
		/** The end of a family or a grant ends all that was issued under it. */
		kind: v.picklist(['code', 'access_token', 'refresh_token', 'family', 'grant']),
		id: v.string(),
		/** `exchanged`: once, as intended. `replayed`: a second use. `failed_exchange`: a wrong redirect URI or verifier. `expired`, `revoked`. */
		reason: v.picklist(['exchanged', 'replayed', 'failed_exchange', 'expired', 'revoked'])
	})
]);

/** How a state looks. `url`: also a path. `credential`: a code, a token or a secret that the service knows. */
const stateForms = [
	'decimal',
	'hex',
	'uuid',
	'base64url',
	'jwt',
	'encrypted',
	'json',
	'url',
	'email',
	'credential',
	'text'
] as const;

/** A secret or one-time value of a message. */
export const trafficValue = v.object({
	/** Stable in the sandbox: `code 3`. */
	label: v.string(),
	/** The first characters of a long value: `GQVJab…`. Empty for a short one. */
	preview: v.string(),
	/** A digest. Of codes and tokens, it is the id of `GET credentials`. Of a code verifier, it is the code challenge. */
	id: v.string(),
	/** Of the state of an authorization request: how it looks. */
	form: v.optional(v.picklist(stateForms)),
	/** The same: how many bits it has at most, by its length and its alphabet. 256 or less. */
	bits: v.optional(v.number())
});

/** A place with a value. The text contains the preview of the value there, or `••••` for a short one. */
export const valueReference = v.object({
	/** The JSON Pointer (RFC 6901) of the text in the entry: `/request/headers/2/1`. */
	pointer: v.string(),
	/** Where it begins and ends in the text, in UTF-16 code units. */
	start: v.number(),
	end: v.number(),
	/** The index in `values`. */
	value: v.number()
});

/** One exchange of the traffic log. Secrets are redacted. */
export const trafficEntry = v.object({
	/** Counts up by one within a sandbox. */
	seq: v.number(),
	/** The response's `X-Request-Id`. */
	id: v.string(),
	/** Sandbox clock. */
	at: instant,
	/** Milliseconds. */
	duration: v.number(),
	endpoint: v.string(),
	/** The address that the request counts for. */
	address: v.string(),
	client_id: v.optional(v.string()),
	username: v.optional(v.string()),
	/** The authorization request that the exchange belongs to: its sign-in, code and tokens. */
	flow: v.optional(v.string()),
	/** The grant of the code or token that was sent. */
	grant: v.optional(v.string()),
	/** The family of the token that was sent or issued. */
	family: v.optional(v.string()),
	request: v.object({
		method: v.string(),
		/** Path and query. Programs that are generated from it write it behind the origin. */
		target: v.pipe(v.string(), v.regex(/^\//)),
		headers,
		body: v.string()
	}),
	/** Null where there was no response at all. */
	response: v.nullable(v.object({ status: v.number(), headers, body: v.string() })),
	trace: v.array(traceLine),
	/** In the order of their first occurrence. */
	values: v.array(trafficValue),
	/** Where the messages and the trace contain these values. */
	references: v.array(valueReference),
	/** In the order in which they happened. */
	credentials: v.array(credentialEvent)
});

/** `GET traffic`, oldest first. */
export const traffic = v.object({ entries: v.array(trafficEntry) });

/** The query of `GET traffic`. */
export const trafficQuery = v.object({ after: v.optional(v.string()), limit: v.optional(v.string()) });

export const trafficApi = declare({
	'GET /control/traffic': {
		id: 'readTraffic',
		tag: 'Traffic log',
		summary: 'Read the log',
		description:
			'Returns entries, oldest first. `?after=N` starts after the entry with the number N. `?limit=N` returns at most N, 100 by default and 500 at most.',
		query: trafficQuery,
		responses: { 200: { description: 'Entries, oldest first.', json: traffic } },
		errors: { 400: '`after` or `limit` is not a whole number.' }
	},
	'DELETE /control/traffic': {
		id: 'clearTraffic',
		tag: 'Traffic log',
		summary: 'Clear the log',
		description: 'Deletes all entries. New ones continue the numbering.',
		destroys: true,
		responses: { 200: { description: 'The log is empty.', json: traffic } }
	},
	'GET /control/traffic/{request_id}': {
		id: 'findTrafficEntry',
		tag: 'Traffic log',
		summary: 'Read one entry',
		description: 'Returns the entry of a request, with its trace. The log keeps the newest entries only.',
		responses: { 200: { description: 'The entry with its trace.', json: trafficEntry } },
		errors: { 404: 'The log has no such entry. It keeps the newest ones only.' }
	},
	'GET /control/traffic/stream': {
		id: 'streamTraffic',
		tag: 'Traffic log',
		summary: 'Follow the log',
		description:
			'Sends new entries as server-sent events, each with the number of the entry as its id. `Last-Event-ID` or `?after=N` resumes. The event `reset` reports a reset or a snapshot. After `deleted` (the sandbox) or `revoked` (keys) the stream ends.',
		query: v.object({ after: v.optional(v.string()) }),
		responses: { 200: { description: 'The events.', events: true } },
		errors: { 400: '`after` is not a whole number.', 409: 'Too many streams are open.' }
	}
});

export type TraceLine = v.InferOutput<typeof traceLine>;
export type CredentialEvent = v.InferOutput<typeof credentialEvent>;
export type IssuedEvent = Extract<CredentialEvent, { type: 'issued' }>;
export type EndedEvent = Extract<CredentialEvent, { type: 'ended' }>;
export type ValueReference = v.InferOutput<typeof valueReference>;
export type StateForm = (typeof stateForms)[number];
export type TrafficValue = v.InferOutput<typeof trafficValue>;
export type TrafficEntry = v.InferOutput<typeof trafficEntry>;
