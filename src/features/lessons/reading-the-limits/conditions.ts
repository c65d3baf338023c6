import { signedIn } from '../evaluation/common-conditions.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { parseRateLimits } from '#client/parse-rate-limits.ts';
import { parseJson } from '#client/rate-limit/json-value.ts';
import type { Comparison } from '../lesson.ts';
import type { Condition, ValueCondition } from '../evaluation/condition.ts';
import { readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf, type RateLimitHeaders } from '#evidence/rate-limit-headers.ts';

const minCalls = 5;
/** How far a number may be off: in calls, and in seconds. */
const maxCallsOff = 1;
const maxSecondsOff = 5;

/** The last character response, if the number is the one that its headers say. */
const readFrom =
	(isRight: (value: number, limits: RateLimitHeaders) => boolean): ValueCondition['readFrom'] =>
	(value, before) => {
		const response = before.findLast(readCharacter);
		const limits = response && rateLimitOf(response);
		return limits !== undefined && /^\d+$/.test(value.trim()) && isRight(Number(value), limits) ? response : undefined;
	};

/** How many requests of both limits were left, before the limits were requested and after that. */
export const comparison: Comparison = {
	columns: ['Before', 'After'],
	rows: ({ entries, shown }) => {
		const [limits] = shown('limits_requested');
		const before = entries.filter(({ seq }) => limits !== undefined && seq < limits.seq);
		const remaining = (entry: TrafficEntry | undefined) => entry && rateLimitOf(entry)?.remaining;
		const records = parseRateLimits(parseJson(limits?.response?.body ?? ''));
		const character = records.find(({ pattern }) => pattern.includes('character'));
		return [
			['Character requests left', remaining(before.findLast(readCharacter)), character?.remaining],
			[
				'Requests for the limits left',
				remaining(before.findLast(({ endpoint }) => endpoint === 'ratelimits')),
				remaining(limits)
			]
		];
	}
};

export const conditions: readonly Condition[] = [
	signedIn,
	{
		id: 'calls_made',
		label: 'Five characters were read',
		unmet: 'Fewer than five characters were read from one address. Read five.',
		shows: (entry, { since }) => {
			if (!readCharacter(entry) || rateLimitOf(entry) === undefined) return false;
			const own = since.filter((one) => readCharacter(one) && one.address === entry.address);
			return own.length >= minCalls - 1 && own.slice(1 - minCalls);
		}
	},
	{
		id: 'limits_requested',
		label: 'The rate limit records were requested after that',
		unmet: 'No client has requested /ws/v2.0/ratelimits after these requests. Request it once.',
		shows: ({ endpoint, response }) => endpoint === 'ratelimits' && response?.status === 200
	},
	{
		id: 'calls_left',
		label: 'You entered how many character requests were left',
		unmet:
			'The number of requests left is missing or wrong. Read X-RateLimit-Remaining in the last character response.',
		wrong: 'Not this number. Read X-RateLimit-Remaining in the last character response.',
		field: 'calls_left',
		readFrom: readFrom((value, { remaining }) => Math.abs(value - remaining) <= maxCallsOff)
	},
	{
		id: 'seconds_until_reset',
		label: 'You entered the seconds until the reset',
		unmet:
			'The seconds until the reset are missing or wrong. Subtract the Date of the last character response from its X-RateLimit-Reset.',
		wrong: 'Your clock differs from the service’s. Use the Date of the response, not your own time.',
		field: 'seconds_until_reset',
		readFrom: readFrom((value, { reset, date }) => Math.abs(value - (reset - date)) <= maxSecondsOff)
	}
];
