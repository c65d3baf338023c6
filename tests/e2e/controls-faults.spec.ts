import { expect, test } from './fixtures.ts';
import { injectFaults } from './inject-faults.ts';

test('a fault is added by keyboard, met in the viewer, and deleted in the bar', async ({ page }) => {
	await page.goto('/controls/faults');
	await injectFaults(page);
});

test('the bar follows the faults of other tabs, and pages of the service show it', async ({
	page,
	context,
	server
}) => {
	await page.goto('/docs');
	await server.control('POST', '/control/faults', { endpoint: 'revoke', kind: 'drop' });
	const other = await context.newPage();
	await other.goto('/controls/faults');
	await other.getByRole('button', { name: 'Next token request fails with 503' }).click();
	await expect(page.getByText('2 faults are active in this sandbox.')).toBeVisible();
	await other.goto('/account');
	await expect(other.getByText('2 faults are active in this sandbox.')).toBeVisible();
});
