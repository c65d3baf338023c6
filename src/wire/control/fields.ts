import * as v from 'valibot';

/** A whole number from `least` to `most`. */
export const whole = (least: number, most: number) =>
	v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

/** A text that is not empty. */
export const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));

/** Milliseconds since 1970. */
export const instant = v.number();

/** The name of an account. */
export const username = v.pipe(
	v.string(),
	v.regex(/^[a-z0-9][a-z0-9._-]{0,31}$/, 'a user name has 1 to 32 of a-z 0-9 . _ -')
);

/** An address of the ranges for documentation (RFC 5737, RFC 3849): 192.0.2.0/24 or 2001:db8::/32. */
export const virtualAddress = v.pipe(
	v.string(),
	v.regex(/^(?:192\.0\.2\.\d{1,3}|2001:db8:[0-9a-f:]*)$/i, 'use an address in 192.0.2.0/24 or 2001:db8::/32')
);

/** The body of a rejected control request. */
export const controlError = v.object({
	error: v.string(),
	error_description: v.string(),
	/** The field of the request body that is wrong, as a path: `limits.character`. */
	field: v.optional(v.string())
});
