import { afterEach, expect, test, vi } from 'vitest';
import { loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { stepsOf } from '#course/lessons/evaluation/step.ts';
import { diagramRows } from '#course/lessons/stage/diagram-rows.ts';
import { uriDifference } from '#course/lessons/uri-difference.ts';
import { openLesson } from './lesson-sandbox.ts';

afterEach(() => vi.unstubAllGlobals());

const registered = 'https://viewer.example/viewer/callback';

test.each([
	[registered, undefined, undefined],
	[`${registered}/`, '/ added', '/'],
	['https://viewer.example/viewer/Callback', 'capital C', 'C'],
	['http://viewer.example/viewer/callback', 'http', 'http'],
	['https://viewer.example/viewer/return', undefined, 'return'],
	['https://viewer.example/viewer/callbac', undefined, '']
])('the difference of %s is named and marked', (sent, label, marked) => {
	const difference = uriDifference(sent, registered);
	expect([difference?.label, difference && sent.slice(difference.mark.start, difference.mark.end)]).toEqual([
		label,
		marked
	]);
});

test('names a missing slash, a small letter, and the port of a local address', () => {
	expect(uriDifference(registered, `${registered}/`)).toMatchObject({ label: '/ missing' });
	expect(uriDifference('https://a.example/b', 'https://a.example/B')?.label).toBe('small b');
	expect(uriDifference('http://localhost:4181', 'http://localhost')).toEqual({
		label: 'port 4181',
		mark: { start: 17, end: 21 }
	});
});

test('the messages of the lesson name what was changed in each', async () => {
	const [lesson, script] = [await loadLesson('one-letter-off'), await loadScript('one-letter-off')];
	if (lesson === undefined || script === undefined) throw new Error('The lesson has no script.');
	const { client, evidence } = await openLesson(lesson);
	await script(client);
	const found = await evidence();
	const { entries } = found;
	const { shown } = evaluate(lesson, found);
	const conditions = lesson.conditions.map(({ id }) => id);
	const steps = stepsOf({ steps: lesson.stage.steps, conditions, shown, entries });
	const rows = diagramRows({ steps, entries, most: 100, keep: 0 });
	expect(rows.map(({ label }) => label)).toEqual([
		'GET auth · / added',
		'400 · / added',
		'GET auth · capital C',
		'400 · capital C',
		'GET auth · http',
		'400 · http',
		'GET auth · port 4180',
		'200 · port 4180',
		'GET auth · port 4181',
		'200 · port 4181'
	]);
});
