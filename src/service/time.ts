/** The latest instant to which a sandbox clock can be moved, in milliseconds: 1 January 2200. */
export const maxTimestamp = 7_258_118_400_000;

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
let lastSecond = -1;
let lastText = '';

/**
 * An instant as the HTTP-style date of a `Date` header: `Sat, 21 Nov 2026 10:00:00 GMT`.
 * @param seconds since 1970
 */
export function httpDate(seconds: number): string {
	return `${clockText(seconds)} GMT`;
}

/**
 * An instant as rate limit records write it (specification, section 2.5): `Sat, 21 Nov 2026 10:00:00 +0000`.
 * @param seconds since 1970
 */
export function rateLimitDate(seconds: number): string {
	return `${clockText(seconds)} +0000`;
}

/** An instant as people read it: `21 Nov 2026, 10:00 UTC`. */
export function displayDate(seconds: number): string {
	const at = new Date(seconds * 1000);
	const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
	return `${at.getUTCDate()} ${months[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}, ${time} UTC`;
}

function clockText(seconds: number): string {
	if (seconds === lastSecond) return lastText;
	const at = new Date(seconds * 1000);
	const day = `${days[at.getUTCDay()] ?? ''}, ${two(at.getUTCDate())} ${months[at.getUTCMonth()] ?? ''}`;
	const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
	lastText = `${day} ${String(at.getUTCFullYear()).padStart(4, '0')} ${time}`;
	lastSecond = seconds;
	return lastText;
}

function two(number: number): string {
	return number < 10 ? `0${number}` : String(number);
}

/** A duration for display: `10 minutes`, `90 seconds`. */
export function displayDuration(seconds: number): string {
	const isMinutes = seconds >= 60 && seconds % 60 === 0;
	const count = isMinutes ? seconds / 60 : seconds;
	return `${count} ${isMinutes ? 'minute' : 'second'}${count === 1 ? '' : 's'}`;
}
