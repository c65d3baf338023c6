import { expect, test } from 'vitest';
import { clockText } from '#ui/gauges/duration.ts';
import { spokenDuration } from '#lib/time-text.ts';

test.each([
	[0, '0:00', '0 seconds'],
	[-5000, '0:00', '0 seconds'],
	[1, '0:01', '1 second'],
	[42_000, '0:42', '42 seconds'],
	[754_000, '12:34', '13 minutes'],
	[3_920_000, '1:05:20', '1 hour 5 minutes'],
	[7_200_000, '2:00:00', '2 hours'],
	[172_740_000, '47:59:00', '47 hours 59 minutes'],
	[176_400_000, '49:00:00', '2 days 1 hour'],
	[259_200_000, '72:00:00', '3 days']
])('formats %i ms', (milliseconds, clock, spoken) => {
	expect([clockText(milliseconds), spokenDuration(milliseconds)]).toEqual([clock, spoken]);
});
