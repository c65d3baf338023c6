import { expect, test } from 'vitest';
import { durationText, readDuration } from '#lib/typed-duration.ts';

test.each([
	[0, '0 s'],
	[45, '45 s'],
	[600, '10 min'],
	[3920, '1 h 5 min 20 s'],
	[90_000, '1 d 1 h']
])('shows %i seconds as %s, and reads it', (seconds, text) => {
	expect([durationText(seconds), readDuration(text)]).toEqual([text, seconds]);
});

test.each([
	['600', 600],
	['10m', 600],
	[' 1 Hour 30 minutes ', 5400],
	['2 days', 172_800],
	['', undefined],
	['1.5 h', undefined],
	['-1', undefined],
	['10 x', undefined],
	['10 min x', undefined],
	['10 months', undefined],
	['min', undefined]
])('reads %j as a duration', (text, seconds) => {
	expect(readDuration(text)).toBe(seconds);
});
