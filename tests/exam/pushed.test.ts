import { describe, expect, test } from 'vitest';
import { examinePushing, pushingMistakes } from './pushing-client.ts';

describe.each([1, 7, 40])('with %d seconds between a push and its use', (pause) => {
	test('no rule fails for a right client', async () => {
		expect(await examinePushing(undefined, pause)).toEqual([]);
	});

	test.each(pushingMistakes)('a client that %s: %s', async (mistake, rule) => {
		expect(await examinePushing(mistake, pause)).toEqual([rule]);
	});
});
