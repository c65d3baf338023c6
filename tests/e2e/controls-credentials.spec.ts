import { openViewer, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

test('the owner of a sandbox ends a token and revokes a grant by keyboard', async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	await page.goto('/controls/credentials');
	const grant = page.getByRole('region', { name: 'Character Viewer for player-one' });
	await expect(grant).toContainText('Offline access');
	await expect(grant.getByRole('row')).toHaveCount(3);
	await grant.getByRole('button', { name: /^Revoke access token/ }).press('Enter');
	await expect(grant.getByRole('row')).toHaveCount(2);
	await grant.getByRole('button', { name: 'Revoke grant' }).press('Enter');
	const dialog = page.getByRole('dialog');
	await expect(dialog).toContainText('1 refresh token');
	await dialog.getByRole('button', { name: 'Revoke grant' }).press('Enter');
	await expect(page.getByText('No live credentials')).toBeVisible();
});
