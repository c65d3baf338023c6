import { allow, chooseAccount, events, startSignIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { openFromSandboxMenu } from './sidebar.ts';

test(
	'test cards are listed, can be tried in the viewer, and can be off',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await page.goto('/controls/test-cards');
		await expect(page.getByRole('link', { name: /^Try it: / })).toHaveCount(8);
		const tryCard = async (name: string) => {
			await openFromSandboxMenu(page, 'Test cards');
			await page.getByRole('link', { name: `Try it: ${name}` }).click();
			await expect(page).toHaveURL(/\/viewer\?/);
		};
		await tryCard('Test Error');
		await expect(page.getByText('Test Error is looked up after you sign in')).toBeVisible();
		await startSignIn(page);
		await chooseAccount(page, 'player-one');
		await allow(page);
		await expect(page.getByText('Server error', { exact: true })).toBeVisible();
		await expect(events(page)).toContainText('GET /ws/v2.0/character/Test Error');

		await tryCard('test-declines');
		await expect(page.getByText('Choose this account on the sign-in page')).toBeVisible();
		await startSignIn(page);
		await page.getByLabel('Username').fill('test-declines');
		await page.getByLabel('Password').fill('demo');
		await page.keyboard.press('Enter');
		await expect(page.getByText('Access denied', { exact: true })).toBeVisible();

		await server.control('PATCH', '/control/settings', { test_cards: false });
		await page.goto('/controls/test-cards');
		await expect(page.getByText('Test cards are off')).toBeVisible();
		await expect(page.getByRole('button', { name: 'Try it: Test Slow' })).toBeDisabled();
		await page.getByRole('link', { name: 'Turn test cards on in the settings' }).click();
		await expect(page).toHaveURL(/\/controls$/);
	}
);
