import { expectAccessible } from './axe.ts';
import { allow, chooseAccount, openViewer, startSignIn, users } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

test('a held redirect is released with another state, which the client rejects', async ({ page, server }) => {
	await server.control('PUT', '/control/pause', { points: ['authorization_response'] });
	await openViewer(page);
	await expect(page.getByText('Paused at: redirect back.')).toBeVisible();
	await startSignIn(page);
	await chooseAccount(page, 'player-one');
	await allow(page);
	await expect(page.getByRole('heading', { name: 'Authorization response' })).toBeFocused();
	await page.getByLabel('state').fill('of-an-attacker');
	await expect(page.getByText('The check of the application should fail')).toBeVisible();
	await expectAccessible(page, 'dialog[open]');
	await page.getByRole('button', { name: 'Release with changes' }).click();
	await expect(page).toHaveTitle(/^Sign-in failed/);
});

test(
	'a held code exchange waits in the viewer, and continues by a key',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await server.control('PUT', '/control/pause', { points: ['code_exchange'] });
		await openViewer(page);
		await startSignIn(page);
		await chooseAccount(page, 'player-one');
		await allow(page);
		await expect(page.getByRole('heading', { name: 'Code exchange' })).toBeFocused();
		await expect(page.getByLabel('client_secret')).toHaveValue('');
		await page.keyboard.press('Escape');
		const held = page.getByRole('button', { name: 'Held: code exchange · Show' });
		await expect(held).toBeVisible();
		// The held messages are read every second, and the message stays closed.
		await page.waitForResponse((response) => response.url().endsWith('/control/pause'));
		await page.waitForResponse((response) => response.url().endsWith('/control/pause'));
		await held.click();
		await expect(page.getByRole('heading', { name: 'Code exchange' })).toBeFocused();
		await page.keyboard.press('r');
		await expect(users(page)).toBeVisible();
	}
);
