import type { TrafficEntry } from '#api/control/traffic.ts';
import { signedIn } from '../evaluation/common-conditions.ts';
import type { Condition, EnteredValue, Evidence } from '../evaluation/condition.ts';
import { readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf, type RateLimitHeaders } from '#evidence/rate-limit-headers.ts';

const minCalls = 5;
/** How far a number may be off: in calls, and in seconds. */
const maxCallsOff = 1;
const maxSecondsOff = 5;

/** The first address whose calls are enough, with those calls. */
function callsIn({ entries }: Evidence): readonly TrafficEntry[] | undefined {
	const reads = entries.filter((entry) => readCharacter(entry) && rateLimitOf(entry) !== undefined);
	for (const { address } of reads) {
		const own = reads.filter((entry) => entry.address === address);
		if (own.length >= minCalls) return own.slice(0, minCalls);
	}
	return undefined;
}

/** The last character response before a number was entered. Only responses from the last of the required calls on count. */
function responseAt(evidence: Evidence, { after }: EnteredValue): TrafficEntry | undefined {
	const last = callsIn(evidence)?.at(-1);
	return evidence.entries.findLast(
		(entry) => readCharacter(entry) && entry.seq <= after && last !== undefined && entry.seq >= last.seq
	);
}

/** The response that a right number was read from. */
const readFrom =
	(field: string, right: (value: number, limits: RateLimitHeaders) => boolean): Condition['shownBy'] =>
	(evidence) => {
		for (const value of evidence.entered.filter((one) => one.field === field && /^\s*\d+\s*$/.test(one.value))) {
			const response = responseAt(evidence, value);
			const limits = response && rateLimitOf(response);
			if (response !== undefined && limits !== undefined && right(Number(value.value), limits)) return [response];
		}
		return undefined;
	};

export const conditions: readonly Condition[] = [
	signedIn,
	{
		id: 'calls_made',
		label: 'Five characters were read',
		unmet: 'Fewer than five characters were read from one address. Read five.',
		shownBy: callsIn
	},
	{
		id: 'limits_requested',
		label: 'The rate limit records were requested after that',
		// The viewer requests them when its page opens.
		unmet: 'No client has requested /ws/v2.0/ratelimits after these requests. Request it once.',
		shownBy: (evidence) => {
			const last = callsIn(evidence)?.at(-1);
			const found = evidence.entries.find(
				({ endpoint, response, seq }) =>
					endpoint === 'ratelimits' && response?.status === 200 && last !== undefined && seq > last.seq
			);
			return found && [found];
		}
	},
	{
		id: 'calls_left',
		label: 'You entered how many character requests were left',
		unmet:
			'The number of requests left is missing or wrong. Read X-RateLimit-Remaining in the last character response.',
		wrong: 'Not this number. Read X-RateLimit-Remaining in the last character response.',
		shownBy: readFrom('calls_left', (value, { remaining }) => Math.abs(value - remaining) <= maxCallsOff)
	},
	{
		id: 'seconds_until_reset',
		label: 'You entered the seconds until the reset',
		unmet:
			'The seconds until the reset are missing or wrong. Subtract the Date of the last character response from its X-RateLimit-Reset.',
		wrong: 'Your clock differs from the service’s. Use the Date of the response, not your own time.',
		shownBy: readFrom(
			'seconds_until_reset',
			(value, { reset, date }) => Math.abs(value - (reset - date)) <= maxSecondsOff
		)
	}
];
