import { expectAccessible } from './axe.ts';
import { events, lookUp, showCharacter, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { openFromSidebar } from './sidebar.ts';

test('a fault is added by keyboard, met in the viewer, and deleted in the bar', async ({ page }) => {
	await page.goto('/controls/faults');
	const bar = page.getByRole('complementary', { name: 'Faults' });
	const status = page.getByLabel('Status', { exact: true });
	await expect(page.getByText('No fault is active')).toBeVisible();
	await expect(bar).toBeHidden();
	await page.getByLabel('Endpoint').focus();
	await page.keyboard.type('Reso');
	await page.getByLabel('When').focus();
	await page.keyboard.type('Until');
	await status.fill('999');
	await page.keyboard.press('Enter');
	await expect(status).toBeFocused();
	await expect(status).toHaveAccessibleDescription(/from 400 to 599/);
	await expect(status).toHaveValue('999');
	await status.fill('503');
	await page.keyboard.press('Enter');
	await expect(page.getByText('Resource requests fail with status 503.')).toBeVisible();
	await expect(bar).toContainText('1 fault is active in this sandbox.');
	await page.getByRole('button', { name: 'Refresh is rejected: invalid_grant' }).press('Enter');
	await expect(bar).toContainText('2 faults are active in this sandbox.');
	await expectAccessible(page);
	await page.getByRole('button', { name: 'Delete fault: Token requests fail with invalid_grant.' }).press('Enter');
	await expect(bar).toContainText('1 fault is active in this sandbox.');

	await openFromSidebar(page, 'Learn', 'Character Viewer');
	await expect(page.getByRole('button', { name: 'Sign in with Tollgate' })).toBeVisible();
	await expect(bar).toBeVisible();
	await signIn(page, 'player-one');
	await lookUp(page, 'Mara Vell');
	await expect(events(page)).toContainText('503');
	await bar.getByRole('button', { name: 'Delete all' }).press('Enter');
	await expect(bar).toBeHidden();
	await showCharacter(page, 'Mara Vell');
});

test(
	'the bar follows the faults of other tabs, and pages of the service show it',
	{ tag: '@nightly' },
	async ({ page, context, server }) => {
		await page.goto('/docs');
		await server.control('POST', '/control/faults', { endpoint: 'revoke', kind: 'drop' });
		const other = await context.newPage();
		await other.goto('/controls/faults');
		await other.getByRole('button', { name: 'Next token request fails with 503' }).click();
		await expect(page.getByText('2 faults are active in this sandbox.')).toBeVisible();
		await other.goto('/account');
		await expect(other.getByText('2 faults are active in this sandbox.')).toBeVisible();
	}
);
