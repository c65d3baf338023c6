import { expect, test } from './fixtures.ts';
import { tryTestCards } from './try-test-cards.ts';

test('every test card is listed, can be tried in the viewer, and can be off', async ({ page, server }) => {
	await page.goto('/controls/test-cards');
	await expect(page.getByRole('link', { name: /^Try it: / })).toHaveCount(8);
	await tryTestCards(page);
	await server.control('PATCH', '/control/settings', { test_cards: false });
	await page.goto('/controls/test-cards');
	await expect(page.getByText('Test cards are off')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Try it: Test Slow' })).toBeDisabled();
	await page.getByRole('link', { name: 'Turn test cards on in the settings' }).click();
	await expect(page).toHaveURL(/\/controls$/);
});
