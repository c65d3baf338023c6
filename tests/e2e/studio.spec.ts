import { hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

test('a partner opens a world, corrects a mistake, and uses it in a new sandbox', async ({ page, server }) => {
	const foreign: string[] = [];
	page.on('request', (request) => {
		const url = request.url();
		if (!url.startsWith(server.origin) && !url.startsWith('data:')) foreign.push(url);
	});
	await page.goto('/studio');
	await hydrated(page);
	await page.getByLabel('Open a world file').setInputFiles('tests/worlds/bank.json');
	const preview = page.frameLocator('iframe');
	await expect(preview.getByRole('heading', { name: 'Budget Planner wants access to your account' })).toBeVisible();
	await page.getByLabel('Color of light pages').fill('#ffff00');
	await expect(page.getByText(/brand\.accent\.light: Its contrast/)).toBeVisible();
	await expect(page.getByRole('button', { name: 'Use in a new sandbox' })).toBeDisabled();
	await page.getByRole('button', { name: 'Undo' }).click();
	await page.getByLabel('Headline of the front page').fill('<script>alert(1)</script>');
	await page.getByText('Front page', { exact: true }).click();
	await expect(preview.getByRole('heading', { name: '<script>alert(1)</script>' })).toBeVisible();
	await expectUsable(page, 'main');
	await page.getByRole('button', { name: 'Use in a new sandbox' }).click();
	await page.waitForURL(/\/~/);
	await expect(page).toHaveTitle('Nordbank: <script>alert(1)</script>');
	await expect(page.getByRole('heading', { name: '<script>alert(1)</script>' })).toBeVisible();
	expect(foreign).toEqual([]);
});
