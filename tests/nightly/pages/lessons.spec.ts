import { expectAccessible } from '../../e2e/axe.ts';
import { test } from '../../e2e/fixtures.ts';
import { mouse } from './hands.ts';
import { LearnerWithMistakes } from './learner-with-mistakes.ts';
import { lessonIds, loadWalkedLesson } from './lessons.ts';
import { walkLesson } from './walk-lesson.ts';

for (const id of lessonIds) {
	test(`lesson ${id} is walked to its end, with a wrong account, a denied consent, Back and reloads`, async ({
		page
	}) => {
		test.slow();
		const look = () => expectAccessible(page);
		await walkLesson(page, await loadWalkedLesson(id), mouse, { look, Learner: LearnerWithMistakes });
	});
}
