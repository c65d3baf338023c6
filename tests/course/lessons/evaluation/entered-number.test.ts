import { afterEach, expect, it, vi } from 'vitest';
import { loadLesson } from '#course/lessons/all-lessons.ts';
import { enteredNumber, wrongNumber } from '#course/lessons/evaluation/entered-number.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { record } from '../recorded-history.ts';

afterEach(() => vi.unstubAllGlobals());

it('reads a number with its unit and its separators', () => {
	expect(['3,561', '3561 s', ' 42 ', 'soon'].map(enteredNumber)).toEqual(['3561', '3561', '42', 'soon']);
});

it('names what a wrong number is', async () => {
	const lesson = await loadLesson('reading-the-limits');
	const condition = lesson?.conditions.find(({ id }) => id === 'seconds_until_reset');
	if (lesson === undefined || condition === undefined || !('field' in condition)) throw new Error('There is no field.');
	const { entries } = await record(lesson, async (client) => {
		await client.character((await client.signIn()).field('access_token'));
	});
	const { reset = 0, date = 0 } = entries.flatMap((entry) => rateLimitOf(entry) ?? []).at(-1) ?? {};
	const own = (date - 7200) * 1000;
	const reasons = ['soon', `${reset}`, `${date}`, `${reset - own / 1000}`, '5'].map((value) =>
		wrongNumber(value, condition, entries, own)
	);
	expect(reasons.map((reason) => reason.split('.')[0])).toEqual([
		'Enter digits only',
		'This is the reset itself, in Unix seconds',
		'This is the Date of the response',
		'Your clock differs from the service’s',
		'Not this number'
	]);
});
