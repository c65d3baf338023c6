/**
 * Duration in words: `42 seconds`, `12 minutes`, `1 hour 2 minutes`, `3 days`.
 * @param milliseconds duration; negative values count as zero
 */
export function spokenDuration(milliseconds: number): string {
	const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
	if (seconds < 60) return count(seconds, 'second');
	const minutes = Math.round(seconds / 60);
	if (minutes < 60) return count(minutes, 'minute');
	const hours = Math.floor(minutes / 60);
	return hours < 48
		? pair(hours, 'hour', minutes % 60, 'minute')
		: pair(Math.floor(hours / 24), 'day', hours % 24, 'hour');
}

/** Two units. The smaller one is left out where it is zero. */
function pair(amount: number, unit: string, rest: number, smaller: string): string {
	return count(amount, unit) + (rest === 0 ? '' : ` ${count(rest, smaller)}`);
}

function count(amount: number, unit: string): string {
	return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
