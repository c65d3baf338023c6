// Pages show every time in UTC, in these forms.

/**
 * A day: `21 Nov 2026`.
 * @param at milliseconds since 1970
 */
export function dateText(at: number): string {
	return new Date(at).toUTCString().slice(5, 16).replace(/^0/, '');
}

/**
 * A time of day, without its zone: `14:02:11`.
 * @param at milliseconds since 1970
 */
export function timeText(at: number): string {
	return new Date(at).toISOString().slice(11, 19);
}

/**
 * A day and a time: `21 Nov 2026, 10:00 UTC`.
 * @param at milliseconds since 1970
 */
export function dateTimeText(at: number): string {
	return `${dateText(at)}, ${timeText(at).slice(0, 5)} UTC`;
}
