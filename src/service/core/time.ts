import { dateTimeText } from '#lib/time-text.ts';

let lastSecond = -1;
let lastDate = '';

/**
 * An instant as in a `Date` header: `Sat, 21 Nov 2026 10:00:00 GMT`.
 * @param seconds since 1970
 */
export function httpDate(seconds: number): string {
	if (seconds === lastSecond) return lastDate;
	lastDate = new Date(seconds * 1000).toUTCString();
	lastSecond = seconds;
	return lastDate;
}

/**
 * An instant as in a rate limit record (specification, section 2.5): `Sat, 21 Nov 2026 10:00:00 +0000`.
 * @param seconds since 1970
 */
export function rateLimitDate(seconds: number): string {
	return httpDate(seconds).replace('GMT', '+0000');
}

/**
 * An instant as shown to users: `21 Nov 2026, 10:00 UTC`.
 * @param seconds since 1970
 */
export function displayDate(seconds: number): string {
	return dateTimeText(seconds * 1000);
}

/** A duration for display: `1 hour`, `10 minutes`, `90 seconds`. */
export function displayDuration(seconds: number): string {
	const fits = (length: number) => seconds >= length && seconds % length === 0;
	const [length, unit] = fits(3600) ? [3600, 'hour'] : fits(60) ? [60, 'minute'] : [1, 'second'];
	const count = seconds / length;
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
