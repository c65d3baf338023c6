import type { ParsedRateLimit } from '#client/parse-rate-limits.ts';
import { timeText } from '#lib/time-text.ts';
import type { CountedCall } from './rate-limit-history.ts';

/** One value in the headers of a call and in the rate limit record of its address. */
export type ComparedValue = {
	readonly name: string;
	readonly inHeaders: string;
	readonly inRecord: string;
	readonly agrees: boolean;
};

/** Compares the headers of a call with what the service reports for its address and pattern. */
export function compareRateLimits(call: CountedCall, record: ParsedRateLimit): ComparedValue[] {
	const compared = (
		name: string,
		header: number | undefined,
		reported: number,
		show: (value: number) => string = String
	) => ({
		name,
		inHeaders: header === undefined ? 'not sent' : show(header),
		inRecord: show(reported),
		agrees: header === reported
	});
	return [
		compared('Limit', call.limit, record.limit),
		compared('Remaining', call.remaining, record.remaining),
		compared('Reset', call.reset, record.reset, (at) => `${timeText(at)} UTC`)
	];
}
