import { expect, test } from './fixtures.ts';

test('applications are registered, tested, changed and deleted by keyboard', async ({ page, server }) => {
	await page.goto('/console');
	const { keyboard } = page;
	const name = page.getByRole('textbox', { name: 'Name' });
	const uri = page.getByRole('textbox', { name: 'Redirect URI', exact: true });
	const press = async (role: 'button' | 'link', label: string | RegExp) => {
		await page.getByRole(role, { name: label, exact: true }).focus();
		await keyboard.press('Enter');
	};

	await name.focus();
	await keyboard.press('Enter');
	await expect(name).toHaveAccessibleDescription(/This field is required/);
	await expect(name).toBeFocused();
	await keyboard.type('Test client');
	await keyboard.press('Tab');
	await keyboard.press('ArrowDown');
	await expect(page.getByRole('main')).toContainText('Any port of localhost is allowed.');
	await keyboard.press('ArrowUp');
	await keyboard.press('Tab');
	await expect(uri).toBeFocused();
	await keyboard.type('http://x.example/#f');
	await keyboard.press('Enter');
	await expect(uri).toHaveAccessibleDescription(/cannot have a fragment/);
	await expect(uri).toBeFocused();
	await expect(uri).toHaveValue('http://x.example/#f');
	await uri.fill('http://x.example/cb');
	await keyboard.press('Enter');
	const notice = page.getByRole('status').filter({ hasText: 'Application registered' });
	const shownSecret = notice.getByText(/^[\w-]{43}$/);
	const secret = (await shownSecret.textContent()) ?? '';
	await shownSecret.click({ clickCount: 3 });
	expect(await page.evaluate(() => getSelection()?.toString())).toBe(secret);
	await expect(page.getByText('uses HTTP, so the code can be intercepted.')).toBeVisible();
	await expect(page.getByRole('heading', { name: 'Test client' })).toBeVisible();

	await press('link', 'Connect your client');
	await expect(page).toHaveURL(/&tab=connect$/);
	await expect(page.getByRole('group', { name: 'Run it', exact: true })).toContainText(`=${server.caFile}\n`);
	await expect(page.getByRole('group', { name: /^Run it/ })).toContainText(`CLIENT_SECRET='${secret}'`);
	await page.getByRole('radio', { name: 'curl' }).focus();
	await keyboard.press('ArrowRight');
	await keyboard.press('ArrowRight');
	await expect(page.getByRole('group', { name: 'client.py' })).toContainText('requests_oauthlib');
	await page.reload();
	await expect(page.getByRole('group', { name: 'client.py' })).toBeVisible();
	await expect(page.getByRole('group', { name: /^Run it/ })).toContainText('PASTE_THE_SECRET');
	expect(await page.content()).not.toContain(secret);

	await press('link', 'Redirect URI tester');
	const tested = page.getByRole('textbox', { name: 'URI to test' });
	await tested.focus();
	await keyboard.type('http://x.example/CB');
	const result = page.getByRole('status').filter({ hasText: 'It does not match' });
	await expect(result).toContainText('The letter case differs: “C” instead of “c”.');
	await expect(page.locator('mark')).toHaveText(['c', 'C']);
	await tested.fill('http://x.example/cb');
	await expect(page.getByText('It matches')).toBeVisible();
	await expect(page.locator('mark')).toHaveCount(0);

	await press('link', 'Settings');
	await name.fill('Renamed client');
	await press('button', 'Add redirect URI');
	await expect(page.getByRole('textbox', { name: 'Redirect URI 2' })).toBeFocused();
	await keyboard.type('https://x.example/cb');
	await keyboard.press('Enter');
	await expect(page.getByRole('heading', { name: 'Renamed client' })).toBeVisible();
	await press('button', 'Rotate secret…');
	await press('button', 'Rotate secret');
	await expect(page.getByRole('status').filter({ hasText: 'New secret created' })).toBeVisible();
	await press('button', 'Delete application…');
	const dialog = page.getByRole('dialog', { name: 'Delete Renamed client?' });
	await expect(dialog.getByRole('listitem')).toHaveText([
		/client_id/,
		'0 grants of users',
		/codes/,
		/access/,
		/refresh/
	]);
	await press('button', 'Delete application');
	await expect(page.getByRole('heading', { level: 1, name: 'Applications' })).toBeVisible();
	await expect(page.getByRole('heading', { name: 'Character Viewer' })).toBeVisible();
	await expect(page.getByRole('heading', { name: 'Renamed client' })).toBeHidden();

	await page.goto('/console/application');
	await expect(page.getByText('Application not found')).toBeVisible();
});
