import type { TrafficEntry } from '#api/control/traffic.ts';
import { parseRateLimits } from '#client/parse-resources.ts';
import { parseJson } from '#client/rate-limit/json-value.ts';
import { readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import type { CodeModule } from '../code-parts.ts';

export const comparisons = {
	price: ({ entries, shown }) => {
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
} satisfies CodeModule['comparisons'];
