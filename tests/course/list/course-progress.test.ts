import { stepsOf } from '#course/list/course.ts';
import { conditionsOf } from '#course/write/model/judge.ts';
import { expect, it } from 'vitest';
import { CourseProgress } from '#course/list/course-progress.ts';
import { labProgress, type LabProgress } from '#course/labs/model/lab-store.ts';
import { MemoryLessonStorage } from '#course/frame/storage.ts';
import { LessonStore } from '#course/lessons/model/lesson-store.svelte.ts';
import { noProgress } from '#course/lessons/model/progress.ts';
import { readProgressFile, writeProgressFile } from '#course/lessons/model/progress-file.ts';
import { missId } from '#course/frame/progress-report.ts';
import { parseItems, ProgressStore } from '#course/frame/progress-store.svelte.ts';
import { exerciseProgress } from '#course/write/model/seat-progress.ts';
import { exerciseProgressSchema, type ExerciseProgress } from '#course/write/model/write-progress.ts';
import { loadExercise } from '#course/write/exercises.ts';
import { demoWorld } from '../../client/demo-world.ts';

function newBrowser(): CourseProgress {
	const storage = new MemoryLessonStorage();
	return new CourseProgress(
		new LessonStore(storage, true),
		new ProgressStore<ExerciseProgress>(storage, 'write', (found) => parseItems(exerciseProgressSchema, found)),
		new ProgressStore<LabProgress>(storage, 'labs', (found) => parseItems(labProgress, found))
	);
}

it('a progress file brings exercises and labs to another browser, and takes nothing from it', async () => {
	const [one, other] = [newBrowser(), newBrowser()];
	await one.write.change('exchange-the-code', { done: 7, source: 'theirs' });
	await one.labs.change('login-csrf', { attacked: 5, defended: 9 });
	await one.labs.change('mix-up', { attacked: 5 });
	await other.write.change('exchange-the-code', { source: 'mine' });
	await other.write.change('sign-out', { done: 3 });
	const { progress, ...practice } = readProgressFile(writeProgressFile(noProgress, one.exportPractice()));
	expect(progress).toEqual(noProgress);
	await other.importPractice(practice);
	expect(other.write.progress['exchange-the-code']).toEqual({ done: 7, source: 'mine' });
	expect(other.completedPractice(demoWorld).map(({ id, done }) => [id, done])).toEqual([
		['write/exchange-the-code', 7],
		['labs/login-csrf', 9],
		['write/sign-out', 3]
	]);
	expect(other.stateOf({ kind: 'lab', id: 'labs/mix-up', path: 'labs/mix-up' })).toBe('started');
});

it('a file without exercises and labs, or with invalid ones, changes none', async () => {
	const browser = newBrowser();
	await browser.write.change('sign-out', { done: 3 });
	for (const write of [undefined, 'text', { 'sign-out': { done: 'x' } }])
		await browser.importPractice({ write, labs: 1 });
	expect(browser.exportPractice()).toEqual({ write: { 'sign-out': { done: 3 } }, labs: {} });
});

it('a seat reports the condition of an exercise that failed, with its near miss and no text of the program', async () => {
	const exercise = await loadExercise('exchange-the-code');
	if (exercise === undefined) throw new Error('The exercise is missing.');
	const [first, second] = exercise.conditions;
	const base = { exercise, problem: undefined, isDone: false, hints: 1 };
	const failed = {
		...second,
		id: second?.id ?? '',
		title: '',
		state: 'failed',
		nearMiss: { title: 'a JSON body', text: '' }
	} as const;
	const conditions = [{ id: first?.id ?? '', title: '', state: 'met' } as const, failed];
	expect(exerciseProgress('exchange-the-code', { ...base, conditions, failed: [failed] })).toEqual({
		...{ lesson: 'write/exchange-the-code', step: 1, shown: { 0: [] }, of: conditionsOf(exercise).length },
		...{ is_done: false, revealed: true, miss: 'a_JSON_body' }
	});
	// The wall names as many steps as the seat reports.
	expect(await stepsOf('write/exchange-the-code')).toHaveLength(conditionsOf(exercise).length);
	const syntax = { kind: 'syntax', text: 'secret' } as const;
	const stopped = exerciseProgress('exchange-the-code', { ...base, problem: syntax, conditions: [], failed: [] });
	expect(stopped).toMatchObject({ step: 0, shown: {}, miss: 'a_syntax_error' });
	expect(exerciseProgress('exchange-the-code', { ...base, conditions: [], failed: [] }, { done: 1 }).is_done).toBe(
		true
	);
	const reloaded = exerciseProgress(
		'exchange-the-code',
		{ ...base, conditions: [], failed: [] },
		{ miss: 'a JSON body' }
	);
	expect(reloaded.miss, 'after a reload').toBe('a_JSON_body');
	const fixed = { ...base, conditions: [{ ...failed, state: 'met' } as const], failed: [] };
	expect(exerciseProgress('exchange-the-code', fixed, { miss: 'a JSON body' }).miss).toBeUndefined();
	expect(missId('State’s `value`, again')).toBe('State_s_value_again');
});
