import { expect, test } from './fixtures.ts';

test('accounts are created and deleted by keyboard, with errors at the fields', async ({ page }) => {
	await page.goto('/controls/accounts');
	const username = page.getByLabel('Username');
	const password = page.getByLabel('Password');
	const rows = page.getByRole('row');
	await expect(rows).toHaveCount(4);
	await username.focus();
	await page.keyboard.type('New Player');
	await page.keyboard.press('Enter');
	await expect(username).toBeFocused();
	await expect(username).toHaveAccessibleDescription(/Use 1 to 32 of the characters/);
	await expect(username).toHaveValue('New Player');
	await username.fill('new-player');
	await page.keyboard.press('Enter');
	await expect(password).toBeFocused();
	await expect(password).toHaveAccessibleDescription(/This field is required/);
	await page.keyboard.type('secret');
	await page.keyboard.press('Enter');
	await expect(rows).toHaveCount(5);
	await expect(username).toHaveValue('');

	await username.fill('test-declines');
	await password.fill('secret');
	await page.keyboard.press('Enter');
	await expect(username).toBeFocused();
	await expect(username).toHaveAccessibleDescription(/already exists/);

	await page.getByRole('button', { name: 'Delete… new-player' }).focus();
	await page.keyboard.press('Enter');
	const dialog = page.getByRole('dialog', { name: 'Delete new-player?' });
	await expect(dialog).toContainText('No application has access.');
	await dialog.getByRole('button', { name: 'Delete account' }).focus();
	await page.keyboard.press('Enter');
	await expect(rows).toHaveCount(4);
	await expect(page.locator(':focus')).toHaveCount(1);
});

test(
	'a failed deletion updates the list, and leaves no error in the next dialog',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await page.goto('/controls/accounts');
		await expect(page.getByRole('row')).toHaveCount(4);
		await server.control('DELETE', '/control/accounts/player-one');
		await page.getByRole('button', { name: 'Delete… player-one' }).click();
		const first = page.getByRole('dialog', { name: 'Delete player-one?' });
		await first.getByRole('button', { name: 'Delete account' }).click();
		await expect(first.getByRole('alert')).toContainText('There is no account with this name.');
		await first.getByRole('button', { name: 'Cancel' }).click();
		await expect(page.getByRole('row')).toHaveCount(3);
		await page.getByRole('button', { name: 'Delete… player-two' }).click();
		const second = page.getByRole('dialog', { name: 'Delete player-two?' });
		await expect(second).toContainText('You cannot undo it.');
		await expect(second.getByRole('alert')).toHaveCount(0);
	}
);

test('a list that cannot be read says so, and is read again', { tag: '@nightly' }, async ({ page }) => {
	await page.route('**/control/accounts', (route) => route.abort());
	await page.goto('/controls/accounts');
	await expect(page.getByRole('alert')).toContainText('The service did not respond.');
	await page.unroute('**/control/accounts');
	await page.getByRole('button', { name: 'Try again' }).click();
	await expect(page.getByRole('row')).toHaveCount(4);
	await expect(page.getByRole('alert')).toHaveCount(0);
});
