import { expect, test } from '../../e2e/fixtures.ts';
import { mouse } from './hands.ts';
import { loadWalkedLesson } from './lessons.ts';
import { predictWrongly, startLesson } from './walk-lesson.ts';

// What a screen reader names. axe finds names that are missing, not names that say nothing.
test('the parts of a lesson page and of the progress page have names', async ({ page }) => {
	const walked = await loadWalkedLesson('whole-trip');
	const { prediction, stage } = walked.lesson;
	const learner = await startLesson(page, walked, mouse);
	await expect(page.getByRole('navigation', { name: 'Parts of the lesson' }).getByRole('button')).toHaveCount(5);
	const question = page.getByRole('group', { name: prediction.question });
	await expect(question.getByRole('radio')).toHaveCount(prediction.options.length + 1);
	await predictWrongly(page, walked, mouse, learner);
	const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
	await expect(steps.filter({ hasText: 'Not done yet:' })).toHaveCount(stage.steps.length);
	await expect(page.getByRole('list', { name: 'Messages' }).getByText('not done yet').first()).toBeAttached();
	await page.getByRole('button', { name: 'Hint', expanded: false }).click();
	await expect(page.getByRole('button', { name: 'Hint', expanded: true })).toBeVisible();
	await page.getByRole('group', { name: 'Help' }).getByRole('button', { name: 'Do it for me' }).click();
	await expect(learner.state.getByRole('status').filter({ hasText: 'Done.' })).toBeVisible();

	await page.goto('/learn/progress');
	await expect(page.getByRole('heading', { name: 'Done by Tollgate' })).toBeVisible();
	await expect(page.getByLabel('Import progress')).toBeVisible();
});
