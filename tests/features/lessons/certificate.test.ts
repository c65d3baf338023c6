import { expect, test } from 'vitest';
import { checkValue } from '#features/lessons/certificate/check-value.ts';
import { strokeGroups } from '#features/lessons/certificate/strokes.ts';
import type { RecordedRequest } from '#features/lessons/model/recorded-requests.ts';

test('the check value depends on every request id, and not on their order', async () => {
	const value = await checkValue(['b', 'a']);
	expect(value).toMatch(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/);
	expect(await checkValue(['a', 'b'])).toBe(value);
	expect(await checkValue(['a', 'c'])).not.toBe(value);
});

const request = (checks: number, isRejected = false): RecordedRequest => ({ kind: 'token', checks, isRejected });

test('the strokes of all lessons fit the width, and more checks make a longer stroke', () => {
	const lessons = Array.from({ length: 13 }, (_, index) => ({
		number: index + 1,
		requests: Array.from({ length: 24 }, (_, at) => request(at))
	}));
	const groups = strokeGroups(lessons, 987);
	expect(groups.at(-1)?.to).toBeCloseTo(987);
	const heights = groups[0]?.strokes.map(({ height }) => height) ?? [];
	expect(heights.toSorted((one, other) => one - other)).toEqual(heights);
});

test('a few strokes stay together at the start', () => {
	const [group] = strokeGroups([{ number: 2, requests: [request(5), request(5, true)] }], 987);
	expect(group).toMatchObject({ number: 2, from: 0, to: 18 });
	expect(group?.strokes[1]?.height).toBeLessThan(group?.strokes[0]?.height ?? 0);
});
