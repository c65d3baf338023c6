import * as v from 'valibot';
import { instant, whole } from './fields.ts';

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

export type Clock = v.InferOutput<typeof clock>;
export type ClockChange = v.InferOutput<typeof clockChange>;
export type UpcomingEvent = v.InferOutput<typeof upcomingEvent>;
export type UpcomingEvents = v.InferOutput<typeof upcomingEvents>;
