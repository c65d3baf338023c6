import { beforeEach, expect, it } from 'vitest';
import { MemoryLessonStorage } from '#course/frame/storage.ts';
import { LessonStore } from '#course/lessons/model/lesson-store.svelte.ts';
import { lessonIn, withLesson } from '#course/lessons/model/progress.ts';
import { newRun } from '#course/lessons/model/run.ts';

const run = newRun('sandbox', 'https://tollgate.test/~x', {}, 5);
let storage: MemoryLessonStorage;
let store: LessonStore;

beforeEach(async () => {
	storage = new MemoryLessonStorage();
	store = new LessonStore(storage, true, () => 1000);
	await store.replaceRun('a', run);
});

it('changes the run of a lesson, and no other one', async () => {
	await store.replaceRun('b', run);
	await store.changeRun('a', run, () => ({ isRevealed: true }));
	expect([await store.run('a'), await store.run('b')]).toEqual([{ ...run, isRevealed: true }, run]);
	expect(await store.run('c')).toBeUndefined();
});

it.each([
	['reset the lesson', { ...run, after: 9 }],
	['started the lesson in a new sandbox', { ...run, sandbox: 'other' }]
])('a tab that is late changes nothing after another one has %s', async (_, next) => {
	await new LessonStore(storage, true).replaceRun('a', next);
	await store.changeRun('a', run, () => ({ shown: { code_issued: ['r1'] } }));
	expect(await store.run('a')).toEqual(next);
});

it('follows the progress that another tab records, until it is stopped', async () => {
	const other = new LessonStore(storage, true, () => 2000);
	const stop = store.follow();
	await other.change((progress, now) => withLesson(progress, 'a', { started: now }));
	await store.load();
	expect(lessonIn(store.progress, 'a').started).toBe(2000);
	stop();
	await other.change((progress) => withLesson(progress, 'a', { started: 3000 }));
	expect(lessonIn(store.progress, 'a').started).toBe(2000);
});
