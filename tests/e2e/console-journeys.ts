import { expect, type Page } from '@playwright/test';
import { openViewer, signIn } from './demo-clients.ts';

/** Calls the control API of the root sandbox. The path is below `/control/`. */
export type Control = (method: string, path: string, body?: object) => Promise<unknown>;

/**
 * Gets this browser's address blacklisted, files a ticket by keyboard alone, and decides it as the owner of the sandbox.
 * @param origin of the site, where the browser context does not know it
 */
export async function fileAndDecideTicket(page: Page, control: Control, origin = ''): Promise<void> {
	await control('PATCH', 'settings', { limits: { character: 0, blacklist_after_refused: 2 } });
	await page.goto(`${origin}/console/rate-limits`);
	await expect(page.getByText('Limit reached').first()).toBeVisible();
	await page.evaluate(async () => {
		for (let count = 0; count < 2; count++) await fetch('/ws/v2.0/character/x').catch(() => undefined);
	});
	await page.getByRole('button', { name: 'Refresh' }).press('Enter');
	await expect(page.getByText('Your address is blacklisted')).toBeVisible();
	await expect(page.getByRole('meter', { name: '/ws/v2.0/character/*' })).toHaveAttribute('aria-valuenow', '0');
	await expect(page.getByRole('group', { name: 'Body' })).toContainText('"state": "blacklisted"');

	await page.getByRole('link', { name: 'File a support ticket' }).press('Enter');
	await expect(page.getByText(/^Your address .* is blacklisted$/)).toBeVisible();
	const reason = page.getByLabel('Why should your address be unblocked?');
	await page.getByLabel('What did you change?').fill('It waits now.');
	await page.getByRole('button', { name: 'File ticket' }).press('Enter');
	await expect(reason).toBeFocused();
	await expect(reason).toHaveAttribute('aria-invalid', 'true');
	await expect(page.getByLabel('What did you change?')).toHaveValue('It waits now.');
	await reason.fill('A loop in my test.');
	await page.getByRole('button', { name: 'File ticket' }).press('Enter');
	const ticket = page.getByRole('list', { name: 'Tickets' }).getByRole('listitem');
	await expect(ticket).toContainText('Open');
	await expect(reason).toHaveValue('');

	await ticket.getByRole('button', { name: 'Send reply' }).press('Enter');
	await expect(ticket.getByLabel('Reply')).toBeFocused();
	await page.keyboard.type('Thanks.');
	await ticket.getByRole('button', { name: 'Unblock' }).press('Enter');
	await expect(ticket).toContainText('Unblocked');
	await expect(ticket).toContainText('Thanks.');
	await expect(page.getByText(/is not blacklisted$/)).toBeVisible();
}

/**
 * Signs a user in, ends the access token, and revokes the grant by keyboard alone.
 * @param origin of the site, where the browser context does not know it
 */
export async function endCredentials(page: Page, origin = ''): Promise<void> {
	await openViewer(page, origin);
	await signIn(page, 'player-one', { offline: true });
	await page.goto(`${origin}/controls/credentials`);
	const grant = page.getByRole('region', { name: 'Character Viewer for player-one' });
	await expect(grant).toContainText('Offline access');
	await expect(grant.getByRole('row')).toHaveCount(3);
	await grant.getByRole('button', { name: /^End access token/ }).press('Enter');
	await expect(grant.getByRole('row')).toHaveCount(2);
	await grant.getByRole('button', { name: 'Revoke grant' }).press('Enter');
	const dialog = page.getByRole('dialog');
	await expect(dialog).toContainText('1 refresh token');
	await dialog.getByRole('button', { name: 'Revoke grant' }).press('Enter');
	await expect(page.getByText('No live credentials')).toBeVisible();
}
