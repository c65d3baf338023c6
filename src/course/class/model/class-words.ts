/** A class code as it is shown: `H7K 4QX`. */
export function shownCode(code: string): string {
	return `${code.slice(0, 3)} ${code.slice(3)}`;
}

/** A code that was typed, in upper case without spaces and other separators. */
export function readCode(typed: string): string {
	return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** A time of day: `17:30`. @param at milliseconds */
export function timeOfDay(at: number): string {
	return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

/** With seconds: `09:41:20`. @param at milliseconds */
export function timeWithSeconds(at: number): string {
	return new Date(at).toLocaleTimeString('en-GB');
}

/** A group: 1 is A. */
export function groupName(group: number): string {
	return String.fromCharCode(64 + group);
}

/** How long something takes: `52 min`, `3 h`. @param milliseconds */
export function shortDuration(milliseconds: number): string {
	const minutes = Math.max(0, Math.round(milliseconds / 60_000));
	return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** A place in a queue: `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(place: number): string {
	const suffixes: Partial<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
	return `${place}${suffixes[new Intl.PluralRules('en', { type: 'ordinal' }).select(place)] ?? 'th'}`;
}
