import { expect, test } from 'vitest';
import { allLessons } from '#course/lessons/all-lessons.ts';
import { nextLesson } from '#course/lessons/model/next-lesson.ts';
import { noProgress, withLesson, type Progress } from '#course/lessons/model/progress.ts';

const [first, second, third] = allLessons.map(({ id }) => id);
const next = (progress: Progress) => nextLesson(allLessons, progress)?.id;
const done = (progress: Progress, id = '') => withLesson(progress, id, { started: 1, done: 2 });

test('the lesson that was started last continues, before the first one that was not opened', () => {
	expect(next(noProgress)).toBe(first);
	const one = done(noProgress, first);
	expect(next(one)).toBe(second);
	const started = withLesson(withLesson(one, second ?? '', { started: 5 }), third ?? '', { started: 9 });
	expect(next(started)).toBe(third);
});

test('lessons that Tollgate did come last, and there is none after all are completed', () => {
	const revealed = withLesson(noProgress, first ?? '', { revealed: 1 });
	expect(next(revealed)).toBe(second);
	const others = allLessons.slice(1).reduce((progress, { id }) => done(progress, id), revealed);
	expect(next(others)).toBe(first);
	expect(next(done(others, first))).toBeUndefined();
});
