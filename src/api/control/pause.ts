import * as v from 'valibot';
import { declare } from '../declare.ts';
import { grants, type GrantPoint } from '../protocol/grant-types.ts';
import { instant } from './fields.ts';

const [exchangePoint, ...otherPoints] = grants.map(({ pause }) => pause.point);

/** A message of a flow that can be held. */
export type PausePoint =
	| 'authorization_request'
	| 'consent'
	| 'authorization_response'
	| 'resource_request'
	| GrantPoint;

/** The messages of a flow that can be held, in the order in which a flow sends them. */
export const pausePoints: readonly PausePoint[] = [
	'authorization_request',
	'consent',
	'authorization_response',
	...(exchangePoint === undefined ? [] : [exchangePoint]),
	'resource_request',
	...otherPoints
];

/** How long a message is held at most, in seconds. Browsers end the service worker of the static build after five minutes. */
export const maxHoldSeconds = 240;
/** How many messages of a sandbox are held at a time. Others pass. */
export const maxHeld = 20;
/** How many of them an address sent that does not pause the sandbox. */
export const maxHeldOfOther = 5;
/**
 * How many of them the scripts of an address wait for. A browser opens six connections to a server, and its pages need the others: for
 * their event streams, and to release what waits.
 */
export const maxHeldOfScripts = 3;
/** The longest message that is held, in bytes. Longer ones pass. */
export const maxHeldBytes = 64 * 1024;
/** All messages of a sandbox that are held together, in bytes. */
export const maxHeldBytesInAll = 256 * 1024;

const point = v.picklist(pausePoints, 'Choose messages of the list.');

/** `PUT pause`. */
export const pauseChange = v.strictObject({
	/** Which messages are held; none: no message. Absent: those of before. */
	points: v.exactOptional(v.pipe(v.array(point), v.maxLength(pausePoints.length)))
});

const heldParameter = v.object({
	name: v.string(),
	/** Secrets are shown by their first characters. */
	value: v.string(),
	is_secret: v.boolean()
});

/** A message that waits. */
export const heldMessage = v.object({
	id: v.string(),
	point,
	method: v.string(),
	/** Where it goes, without its parameters: a path, or the redirect URI. */
	target: v.string(),
	/** Of an authorization response. */
	response_mode: v.optional(v.picklist(['query', 'form_post'])),
	client_id: v.optional(v.string()),
	parameters: v.array(heldParameter),
	/** When it continues unchanged, by the real clock. */
	until: instant,
	/** The browser waits on the page of the message. False: the client waits for the response. */
	is_navigation: v.boolean()
});

/** `GET pause`. */
export const pause = v.object({
	points: v.array(point),
	held: v.array(heldMessage),
	/** How many messages at these points were not held. */
	passed: v.number(),
	/** Why the latest of them was not held, as a sentence. */
	passed_because: v.optional(v.string())
});

/** `POST pause/<id>`. */
export const heldDecision = v.strictObject({
	/** `duplicate` sends the message twice. */
	action: v.picklist(['release', 'drop', 'duplicate'], 'Choose release, drop or duplicate.'),
	/** New values by parameter; `null` removes one. */
	changes: v.exactOptional(
		v.pipe(
			v.record(v.pipe(v.string(), v.maxLength(200)), v.nullable(v.pipe(v.string(), v.maxLength(4096)))),
			v.maxEntries(50)
		)
	)
});

/** The response: where the browser continues, if it is the browser that waits. */
export const heldContinuation = v.object({
	/** Absent: the message is on its way, or dropped. */
	location: v.optional(v.string()),
	/** The browser continues with a form that is sent by POST. */
	is_form: v.optional(v.boolean())
});

const notHeld = 'The message is not held any more.';

export const pauseApi = declare({
	'GET /control/pause': {
		id: 'readPause',
		tag: 'Held messages',
		summary: 'List held messages',
		description:
			'Returns the `points` at which messages are held, the messages that are `held` now, with their parameters, and how many `passed`. `passed_because` says why the latest of these was not held. Secrets are shown by their first characters.',
		responses: { 200: { description: 'The held messages, oldest first.', json: pause } }
	},
	'PUT /control/pause': {
		id: 'setPause',
		tag: 'Held messages',
		summary: 'Hold messages',
		description:
			'Holds the messages of the sandbox at the given `points`, for five minutes from this request. The page that decides about them repeats it every few seconds: after 20 seconds without it, clients that wait for a response get one. A message is held for four minutes at most, then it continues unchanged. At most 20 messages of up to 64 KiB are held, 256 KiB together, and 5 of an address other than that of this request. Scripts of an address wait for 3 of them, because a browser opens six connections to a server. `passed` counts those that were not held, and `passed_because` says why the latest of them was not. Without `points` they stay, and an empty list ends it.',
		body: { schema: pauseChange, example: { points: ['authorization_response', 'code_exchange'] } },
		responses: { 200: { description: 'The held messages.', json: pause } },
		errors: { 409: 'The server holds no more messages, or the service has several servers.' }
	},
	'POST /control/pause/{id}': {
		id: 'decideHeld',
		tag: 'Held messages',
		summary: 'Release a held message',
		description:
			'Releases, drops or duplicates a held message. `changes` has new values by parameter; `null` removes one. If the browser waits on the page of the message, `location` is where it continues.',
		body: { schema: heldDecision, example: { action: 'release', changes: { state: 'changed' } } },
		responses: { 200: { description: 'Where the browser continues.', json: heldContinuation } },
		errors: { 404: notHeld }
	}
});

export type HeldMessage = v.InferOutput<typeof heldMessage>;
export type HeldParameter = v.InferOutput<typeof heldParameter>;
export type Pause = v.InferOutput<typeof pause>;
export type HeldDecision = v.InferOutput<typeof heldDecision>;
export type HeldContinuation = v.InferOutput<typeof heldContinuation>;
