import type { TrafficEntry } from '#api/control/traffic.ts';
import { readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import type { ValueCondition } from './condition.ts';

/** A number as learners write it, without its unit and its separators: `3,561 s` is `3561`. Another text as it is. */
export function enteredNumber(text: string): string {
	const [, digits] = /^(\d[\d,.’' ]*?)\s*(?:s|sec|seconds|requests)?$/i.exec(text.trim()) ?? [];
	return digits?.replace(/[^\d]/g, '') ?? text.trim();
}

/** How far two clocks may be off before they differ, in seconds. */
const tolerance = 120;

/**
 * Why a number is wrong, by what it is.
 * @param now of the learner's clock, in milliseconds since 1970
 */
export function wrongNumber(
	value: string,
	{ readFrom, wrong }: Pick<ValueCondition, 'readFrom' | 'wrong'>,
	before: readonly TrafficEntry[],
	now: number
): string {
	const last = before.findLast(readCharacter);
	const limits = last && rateLimitOf(last);
	if (!/^\d+$/.test(value)) return 'Enter digits only.';
	if (limits === undefined) return wrong;
	const number = Number(value);
	if (number === limits.reset)
		return 'This is the reset itself, in Unix seconds. Subtract the Date of the same response.';
	if (number === limits.date) return 'This is the Date of the response. Subtract it from the reset.';
	const isTime = readFrom(String(limits.reset - limits.date), before) !== undefined;
	const isOwnClock = Math.abs(Math.max(0, limits.reset - now / 1000) - number) <= tolerance;
	return isTime && !isOwnClock
		? 'Not this number. Subtract the Date of the last character response from its reset.'
		: wrong;
}
