import { expect, test } from './fixtures.ts';
import { expectOpen, sandboxMenu, selectAction } from './sandbox-journey.ts';

test('an owner link gives another browser access until it is revoked, and its key leaves the address bar', async ({
	page,
	browser
}) => {
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.goto('/controls/sandboxes');
	await page.getByRole('textbox', { name: 'Name (optional)' }).fill('Shared');
	await page.getByRole('button', { name: 'Create sandbox' }).click();
	await expectOpen(page, 'Shared');
	await selectAction(page, 'Copy owner link');
	await expect(page.getByText('Owner link copied', { exact: true })).toBeVisible();
	const link = await page.evaluate(() => navigator.clipboard.readText());

	const other = await (await browser.newContext()).newPage();
	await other.goto(page.url());
	await expect(other.getByText('You don’t control this sandbox')).toBeVisible();
	const key = other.getByLabel('Sandbox key');
	await key.fill('a guess');
	await key.press('Enter');
	await expect(other.getByText('This is not the key of this sandbox. Check it,')).toBeVisible();
	await expect(key).toBeFocused();
	const seen: string[] = [];
	other.on('request', (request) => seen.push(request.url() + (request.postData() ?? '')));
	await other.goto(link);
	await expectOpen(other, 'Shared');
	await expect(other).toHaveURL(page.url());
	const secret = link.split('#owner=')[1] ?? '';
	expect(secret).toMatch(/^[\w-]{43}$/);
	expect(
		seen.filter((text) => text.includes(secret)),
		'the key is in no URL and no body'
	).toEqual([]);
	await expect(sandboxMenu(other)).toContainText('Shared');

	await page.keyboard.press('Escape');
	await selectAction(page, 'Revoke owner links…');
	await page.getByRole('dialog').getByRole('button', { name: 'Revoke owner links' }).press('Enter');
	await expect(page.getByText('1 key stopped working.', { exact: true })).toBeVisible();
	await other.reload();
	await expect(other.getByText('You don’t control this sandbox')).toBeVisible();
	await other.context().close();
});

test(
	'the operator sets how many requests the log of a sandbox keeps',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await server.control('POST', '/control/sandboxes', { name: 'Busy' });
		await page.goto('/controls/sandboxes');
		const size = page.getByRole('button', { name: 'Change the traffic log of Busy' });
		await size.press('Enter');
		const entries = page.getByRole('textbox', { name: 'Entries' });
		await entries.fill('20000');
		await entries.press('Enter');
		await expect(entries).toHaveAccessibleDescription(/Enter a whole number from 1 to 10,000/);
		await expect(entries).toBeFocused();
		await entries.fill('1000');
		await entries.press('Enter');
		await expect(size).toHaveText('1,000 entries…');
	}
);

test('the dialog of a reset opens if its counts cannot be read', { tag: '@nightly' }, async ({ page }) => {
	const errors: Error[] = [];
	page.on('pageerror', (error) => errors.push(error));
	await page.goto('/controls/sandboxes');
	await page.route('**/control/accounts', (route) => route.abort());
	await selectAction(page, 'Reset…');
	const dialog = page.getByRole('dialog', { name: 'Reset this sandbox?' });
	await expect(dialog).toContainText('All applications and accounts');
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await expect(dialog).toBeHidden();
	await page.unroute('**/control/accounts');
	await selectAction(page, 'Reset…');
	await expect(dialog).toContainText('3 accounts');
	expect(errors).toEqual([]);
});
