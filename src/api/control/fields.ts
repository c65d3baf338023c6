import * as v from 'valibot';
import { virtualAddressPattern } from './virtual-address.ts';

/** A whole number from `least` to `most`. */
export const whole = (least: number, most: number) => {
	const message = `Enter a whole number from ${withCommas(least)} to ${withCommas(most)}.`;
	return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message));
};

/** A text that is not empty. */
export const text = (most: number) =>
	v.pipe(
		v.string('Enter a text.'),
		v.minLength(1, 'This field is required.'),
		v.maxLength(most, `Enter at most ${withCommas(most)} characters.`)
	);

/** What the owner calls a sandbox. */
export const displayName = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60));

/** What a `DELETE` responds. */
export const deleted = v.object({ deleted: v.string() });

/** Milliseconds since 1970. */
export const instant = v.number();

/** The name of an account. */
export const username = v.pipe(
	v.string(),
	v.regex(
		/^[a-z0-9][a-z0-9._-]{0,31}$/,
		'Use 1 to 32 of the characters a-z 0-9 . _ - and begin with a letter or a digit.'
	)
);

/** An address for documentation, see `virtualAddressPattern`. */
export const virtualAddress = v.pipe(
	v.string(),
	v.regex(virtualAddressPattern, 'Use an address in 192.0.2.0/24 or 2001:db8::/32.')
);

/** 86400 is 86,400. */
function withCommas(count: number): string {
	return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** The response to a `client_id` that no application has. */
export const noApplication = { 404: 'No application has this `client_id`.' } as const;
