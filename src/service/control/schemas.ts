import * as v from 'valibot';
import { faultTargets } from '../routes.ts';

const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));

/** A century in seconds: as far as a clock is moved. */
const century = 100 * 366 * 24 * 60 * 60;

export const clockChange = v.union(
	[v.strictObject({ advance: whole(0, century) }), v.strictObject({ to: whole(0, century * 4) })],
	'send {"advance": seconds} or {"to": unix seconds}, whole and not backwards'
);

export const settingsChange = v.strictObject({
	lifetimes: v.exactOptional(
		v.strictObject({ code: v.exactOptional(whole(1, 86_400)), access_token: v.exactOptional(whole(1, 31_536_000)) })
	),
	limits: v.exactOptional(
		v.strictObject({
			character: v.exactOptional(whole(0, 1_000_000)),
			ratelimits: v.exactOptional(whole(0, 1_000_000)),
			blacklist_after_refused: v.exactOptional(whole(1, 1_000_000))
		})
	),
	strict: v.exactOptional(v.boolean())
});

export const newFault = v.strictObject({
	endpoint: v.picklist(faultTargets),
	kind: v.picklist(['delay', 'status', 'drop']),
	status: v.optional(whole(400, 599), 503),
	delay_ms: v.optional(whole(1, 30_000), 1_000),
	times: v.optional(whole(1, 1_000), 1),
	after_commit: v.optional(v.boolean(), false)
});

/** The name of an account. */
export const username = v.pipe(
	v.string(),
	v.regex(/^[a-z0-9][a-z0-9._-]{0,31}$/, 'a user name has 1 to 32 of a-z 0-9 . _ -')
);

export const newAccount = v.strictObject({
	username,
	password: text(256)
});

export const ticketDecision = v.strictObject({ decision: v.picklist(['unblock', 'refuse']) });
