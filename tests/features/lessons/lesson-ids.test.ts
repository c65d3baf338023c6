import { expect, it } from 'vitest';
import { lessonIds } from '#api/control/seats.ts';
import { allLessons } from '#features/lessons/all-lessons.ts';

it('the service knows the ids of all lessons, in the order of the course', () => {
	expect(lessonIds).toEqual(allLessons.map(({ id }) => id));
});
