import { editApplications } from './edit-applications.ts';
import { test } from './fixtures.ts';

test('applications are registered, tested, changed and deleted by keyboard', async ({ page }) => {
	await page.goto('/console');
	await editApplications(page, true);
});
