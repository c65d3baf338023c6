/** The time since the start of a flow: `+850 ms`, `+1.2 s`, `+4 min`. */
export function formatOffset(milliseconds: number): string {
	const sign = milliseconds < 0 ? '−' : '+';
	return sign + formatDuration(Math.abs(milliseconds));
}

/** A duration in three digits: `0.4 ms`, `85 ms`, `1.2 s`, `4 min`, `3 h`. */
export function formatDuration(milliseconds: number): string {
	if (milliseconds < 1000) return `${digits(milliseconds)} ms`;
	const seconds = milliseconds / 1000;
	if (seconds < 100) return `${digits(seconds)} s`;
	const minutes = seconds / 60;
	if (minutes < 100) return `${digits(minutes)} min`;
	return `${digits(minutes / 60)} h`;
}

function digits(value: number): string {
	return value > 0 && value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}
