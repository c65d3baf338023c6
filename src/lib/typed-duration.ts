// Durations as users type them.

const unitSeconds = { d: 86_400, h: 3600, min: 60, s: 1 };

/**
 * A duration as users type it: `10 min`, `1 h 5 min 20 s`.
 * @param seconds a whole number
 */
export function durationText(seconds: number): string {
	let rest = seconds;
	const parts = Object.entries(unitSeconds).flatMap(([unit, size]) => {
		const amount = Math.floor(rest / size);
		rest -= amount * size;
		return amount === 0 ? [] : [`${amount} ${unit}`];
	});
	return parts.join(' ') || '0 s';
}

/**
 * The seconds of a typed duration: `10 min`, `1h 30m`, or a number of seconds. Undefined if it is none.
 */
export function readDuration(text: string): number | undefined {
	const typed = text.trim().toLowerCase();
	if (/^\d+$/.test(typed)) return Number(typed);
	const part = /(\d+)\s*(d|days?|h|hours?|m|min|minutes?|s|sec|seconds?)(?![a-z])\s*/y;
	let [seconds, at] = [0, 0];
	for (let match = part.exec(typed); match !== null; match = part.exec(typed)) {
		const [, amount = '', name = ''] = match;
		const size = Object.entries(unitSeconds).find(([unit]) => unit.startsWith(name.slice(0, 1)))?.[1] ?? NaN;
		seconds += Number(amount) * size;
		at = part.lastIndex;
	}
	return at > 0 && at === typed.length ? seconds : undefined;
}
