import { test } from '../../e2e/fixtures.ts';
import { keyboard } from './hands.ts';
import { lessonIds, loadWalkedLesson } from './lessons.ts';
import { walkLesson } from './walk-lesson.ts';

for (const id of lessonIds) {
	test(`lesson ${id} is walked to its end with the keyboard only`, async ({ page }) => {
		await walkLesson(page, await loadWalkedLesson(id), keyboard);
	});
}
