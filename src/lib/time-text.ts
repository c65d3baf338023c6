// How pages write times and durations. Every time is in UTC.

import { countText } from './count-text.ts';

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

/**
 * An instant as exact as it is known: `21 Nov 2026, 10:00:00.250 UTC`.
 * @param at milliseconds since 1970
 */
export function exactTimeText(at: number): string {
	return `${dateText(at)}, ${new Date(at).toISOString().slice(11, 23)} UTC`;
}

/**
 * Duration in words: `42 seconds`, `12 minutes`, `1 hour 2 minutes`, `3 days`.
 * @param milliseconds duration; negative values count as zero
 */
export function spokenDuration(milliseconds: number): string {
	const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
	if (seconds < 60) return countText(seconds, 'second');
	const minutes = Math.round(seconds / 60);
	if (minutes < 60) return countText(minutes, 'minute');
	const hours = Math.floor(minutes / 60);
	return hours < 48
		? pair(hours, 'hour', minutes % 60, 'minute')
		: pair(Math.floor(hours / 24), 'day', hours % 24, 'hour');
}

/**
 * Says that the clock was moved.
 * @param offset how far it is ahead of the real time, in milliseconds
 */
export function movedClockText(offset: number): string {
	return `The clock of this sandbox is ${spokenDuration(offset)} ahead.`;
}

/** Two units. The smaller one is left out where it is zero. */
function pair(amount: number, unit: string, rest: number, smaller: string): string {
	return countText(amount, unit) + (rest === 0 ? '' : ` ${countText(rest, smaller)}`);
}
