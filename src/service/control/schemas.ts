import * as v from 'valibot';
import { faultTargets } from '../routes.ts';

const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));

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
