import { editAccounts } from './edit-accounts.ts';
import { test } from './fixtures.ts';

test('accounts are created and deleted by keyboard, with errors at the fields', async ({ page }) => {
	await page.goto('/controls/accounts');
	await editAccounts(page);
});
