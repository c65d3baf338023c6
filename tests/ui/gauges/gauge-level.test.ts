import { expect, test } from 'vitest';
import { gaugeLevel } from '#ui/gauges/gauge-level.ts';

test.each([
	[600, 600, false, 'plenty'],
	[151, 600, false, 'plenty'],
	[150, 600, false, 'low'],
	[60, 600, false, 'critical'],
	[0, 600, false, 'limited'],
	[300, 600, true, 'no_response']
])('%s of %s, no response %s: %s', (remaining, limit, noResponse, level) => {
	expect(gaugeLevel(remaining, limit, noResponse)).toBe(level);
});
