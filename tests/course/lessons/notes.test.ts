import { expect, test } from 'vitest';
import { allLessons, loadLesson } from '#course/lessons/all-lessons.ts';

test('the selection takes 90 minutes with a group', async () => {
	const minutes = await Promise.all(
		allLessons
			.filter(({ isInSelection }) => isInSelection)
			.map(async ({ id, minutes }) => minutes + ((await loadLesson(id, true))?.notes.discuss ?? 0))
	);
	expect(minutes.reduce((sum, one) => sum + one, 0)).toBe(90);
});
