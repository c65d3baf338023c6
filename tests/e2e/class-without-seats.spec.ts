import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

test.use({ settings: { CLASS_SEATS: '0' } });

test('the page of classes says at once how to get seats', async ({ page }) => {
	await page.goto('/class');
	await expect(page.getByRole('heading', { name: 'This server has no seats for classes' })).toBeVisible();
	await expect(page.getByText('CLASS_SEATS=30 npm start')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Open class' })).toHaveCount(0);
	await expectUsable(page, 'main');
});
