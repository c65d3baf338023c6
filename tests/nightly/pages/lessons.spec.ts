import { expectAccessible } from '../../e2e/axe.ts';
import { test } from '../../e2e/fixtures.ts';
import { mouse } from './hands.ts';
import { lessonIds, loadWalkedLesson } from './lessons.ts';
import { walkLesson } from './walk-lesson.ts';

for (const id of lessonIds) {
	test(`lesson ${id} is walked to its end`, async ({ page }) => {
		await walkLesson(page, await loadWalkedLesson(id), mouse, { look: () => expectAccessible(page) });
	});
}
