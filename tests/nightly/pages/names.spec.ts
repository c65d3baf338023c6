import { expect, test } from '../../e2e/fixtures.ts';
import { mouse } from './hands.ts';
import { loadWalkedLesson } from './lessons.ts';
import { predictWrongly, startLesson } from './walk-lesson.ts';

// What a screen reader names. axe finds names that are missing, not names that say nothing.
test('the parts of a lesson page and of the progress page have names', async ({ page }) => {
	const walked = await loadWalkedLesson('whole-trip');
	const { prediction, conditions, goal } = walked.lesson;
	const { state } = await startLesson(page, walked, mouse);
	await expect(state.getByRole('status')).toContainText(`0 of ${conditions.length} done`);
	const question = page.getByRole('group', { name: prediction.question });
	await expect(question.getByRole('radio')).toHaveCount(prediction.options.length + 1);
	await expect(page.getByRole('region', { name: 'Live view' }).getByRole('group').first()).toHaveAccessibleName(
		'Beside the lesson'
	);
	await expect(page.getByRole('button', { name: 'Open Diagram for step 3' })).toBeVisible();
	await expect(page.getByRole('img', { name: /^The goal/ })).toHaveAccessibleName(
		new RegExp(`${goal.length}\\. .*not done yet`)
	);
	await expect(page.getByRole('listitem').filter({ hasText: 'Not done yet:' })).toHaveCount(conditions.length);

	const help = state.getByRole('button', { name: 'Hint', expanded: false });
	await help.click();
	await expect(state.getByRole('button', { name: 'Hint', expanded: true })).toBeVisible();
	await expect(page.getByRole('group', { name: 'Help' }).getByRole('button', { name: 'Do it for me' })).toBeVisible();

	await predictWrongly(page, walked, mouse);
	await page.getByRole('button', { name: 'Do it for me' }).click();
	await expect(page.getByRole('status').filter({ hasText: 'The result is shown beside' })).toBeAttached();
	await expect(page.getByRole('region', { name: 'The exchange that shows it' })).toBeVisible();
	await expect(page.getByRole('region', { name: 'Done by Tollgate' })).toBeVisible();

	await page.goto('/learn');
	await expect(page.getByRole('list', { name: 'All lessons' }).getByRole('listitem')).not.toHaveCount(0);
	await page.goto('/learn/progress');
	await expect(page.getByRole('heading', { name: 'Done by Tollgate' })).toBeVisible();
	await expect(page.getByLabel('Import progress')).toBeVisible();
});
