import * as v from 'valibot';
import { declare } from '../declare.ts';
import { instant, whole } from './fields.ts';

/** The latest instant to which a sandbox clock can be moved, in milliseconds: 1 January 2200. */
export const maxTimestamp = 7_258_118_400_000;

/** A century in seconds: as far as a clock is moved. */
const century = 100 * 366 * 24 * 60 * 60;

/** `POST clock`: moves the clock forward, by seconds or to an instant in Unix seconds. */
export const clockChange = v.union(
	[v.strictObject({ advance: whole(0, century) }), v.strictObject({ to: whole(0, century * 4) })],
	'Send {"advance": seconds} or {"to": Unix seconds}, as a whole number that is not negative.'
);

/** `GET clock`: the sandbox clock, and how many milliseconds it is ahead of the real one. */
export const clock = v.object({ now: instant, offset: v.number() });

/** What will happen by the clock alone. */
export const upcomingEvent = v.object({
	kind: v.picklist(['access_token_expires', 'code_expires', 'window_resets']),
	/** When, by the sandbox clock. */
	at: instant,
	/** The application and the user that the code or the token belongs to. */
	client_id: v.optional(v.string()),
	application: v.optional(v.string()),
	username: v.optional(v.string()),
	/** The window that resets. */
	address: v.optional(v.string()),
	pattern: v.optional(v.string())
});

/** `GET events`: the next events, soonest first, and how many follow them. */
export const upcomingEvents = v.object({ now: instant, events: v.array(upcomingEvent), more: v.number() });

export const clockApi = declare({
	'GET /control/clock': {
		id: 'readClock',
		tag: 'Clock',
		summary: 'Read the clock',
		description: 'Returns `now` and `offset`, how many milliseconds the clock is ahead of the real one.',
		responses: { 200: { description: 'The clock.', json: clock } }
	},
	'POST /control/clock': {
		id: 'moveClock',
		tag: 'Clock',
		summary: 'Move the clock',
		description:
			'Moves the clock forward: `{"advance": seconds}`, or `{"to": Unix seconds}`. The latest instant is 1 January 2200.',
		body: { schema: clockChange, example: { advance: 600 } },
		responses: { 200: { description: 'The clock.', json: clock } }
	},
	'DELETE /control/clock': {
		id: 'resetClock',
		tag: 'Clock',
		summary: 'Return to the real time',
		description: 'Returns to the real time. What has expired stays expired, and the rest keeps the time it has left.',
		responses: { 200: { description: 'The clock.', json: clock } }
	},
	'GET /control/events': {
		id: 'readEvents',
		tag: 'Clock',
		summary: 'List upcoming events',
		description:
			'Lists the next 50 events, soonest first: `kind` is `access_token_expires`, `code_expires` or `window_resets`, and `at` is the time. Used codes and revoked tokens are not listed. `more` says how many events follow at most.',
		responses: { 200: { description: 'The events, soonest first.', json: upcomingEvents } }
	}
});

export type Clock = v.InferOutput<typeof clock>;
export type ClockChange = v.InferOutput<typeof clockChange>;
export type UpcomingEvent = v.InferOutput<typeof upcomingEvent>;
export type UpcomingEvents = v.InferOutput<typeof upcomingEvents>;
