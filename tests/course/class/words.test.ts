import { expect, it } from 'vitest';
import { ordinal, readCode, shortDuration, shownCode } from '#course/class/model/class-words.ts';
import { envBlock } from '#course/class/model/env-block.ts';
import { commonStep, shownOf, votesOf } from '#course/class/model/wall-figures.ts';
import { students } from '#course/class/model/simulated-students.ts';
import { allLessons, loadLesson } from '#course/lessons/all-lessons.ts';
import { hidden } from '#api/redact.ts';
import { rowOf } from './rows.ts';

it('reads a code that was typed with spaces, hyphens and small letters', () => {
	expect([readCode(' h7k-4qx '), shownCode('H7K4QX')]).toEqual(['H7K4QX', 'H7K 4QX']);
});

it('says durations and places briefly', () => {
	expect([shortDuration(52 * 60_000), shortDuration(3 * 3_600_000), shortDuration(-5)]).toEqual([
		'52 min',
		'3 h',
		'0 min'
	]);
	expect([1, 2, 3, 4, 11, 22].map(ordinal)).toEqual(['1st', '2nd', '3rd', '4th', '11th', '22nd']);
});

it('writes the lines of an .env file, and shows them without the secret', () => {
	const own = { client_id: 'my-client', name: 'My client', client_secret: 'a-secret' };
	const { shown, copied } = envBlock('https://tollgate.example/~a', own, undefined);
	expect(copied.split('\n')).toEqual([
		'TOLLGATE_BASE_URL=https://tollgate.example/~a',
		'TOLLGATE_CLIENT_ID=my-client',
		'TOLLGATE_CLIENT_SECRET=a-secret'
	]);
	expect(shown).toBe(copied.replace('a-secret', hidden));
	expect(envBlock('https://192.168.0.5:8443/~a', own, './ca.pem').copied).toContain('NODE_EXTRA_CA_CERTS=./ca.pem');
});

it('finds the step that most seats are in which are not done, and how far all of them came', () => {
	const rows = [
		rowOf({ seat: 1, step: 1, shown_steps: ['0'] }),
		rowOf({ seat: 2, step: 2, shown_steps: ['0', '1'] }),
		rowOf({ seat: 3, step: 1, shown_steps: ['0'] }),
		rowOf({ seat: 4, step: 4, is_done: true, shown: 4, shown_steps: ['0', '1', '2', '3'] }),
		rowOf({ seat: 5, lesson: 'one-letter-off' })
	];
	expect(commonStep(rows)).toEqual({ lesson: 'whole-trip', step: 1, inStep: 2, inLesson: 4 });
	expect(shownOf(rows, 'whole-trip', ['a', 'b', 'c', 'd']).map(({ count }) => count)).toEqual([4, 2, 1, 1]);
	expect(commonStep(rows.slice(3, 4))).toEqual({ lesson: 'whole-trip', step: undefined, inStep: 0, inLesson: 1 });
});

it('shows votes from five on', async () => {
	const lesson = await loadLesson('whole-trip');
	if (lesson === undefined) throw new Error('There is no such lesson.');
	const rows = ['0', '1', '1', 'unknown', '1'].map((prediction, seat) => rowOf({ seat, prediction }));
	expect(votesOf(rows.slice(1), 'whole-trip', lesson.prediction)).toBeUndefined();
	expect(votesOf(rows, 'whole-trip', lesson.prediction)?.map(({ count }) => count)).toEqual([
		...[1, 3, 0, 0].slice(0, lesson.prediction.options.length),
		1
	]);
});

it('has twenty simulated students in lessons that exist', () => {
	expect(students).toHaveLength(20);
	const ids = allLessons.map(({ id }) => id);
	expect(students.filter(({ progress }) => !ids.includes(progress.lesson))).toEqual([]);
});
