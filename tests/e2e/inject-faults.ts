import { expect, type Page } from '@playwright/test';
import { events, lookUp, showCharacter, signIn } from './demo-clients.ts';

/** Adds a fault by keyboard on the page of faults, which must be open, meets it in the viewer, and deletes it there. */
export async function injectFaults(page: Page): Promise<void> {
	const bar = page.getByRole('complementary', { name: 'Faults' });
	const status = page.getByLabel('Status', { exact: true });
	await expect(page.getByText('No fault is active')).toBeVisible();
	await expect(bar).toBeHidden();
	await page.getByLabel('Endpoint').focus();
	await page.keyboard.type('Char');
	await page.getByLabel('When').focus();
	await page.keyboard.type('Until');
	await status.fill('999');
	await page.keyboard.press('Enter');
	await expect(status).toBeFocused();
	await expect(status).toHaveAccessibleDescription(/from 400 to 599/);
	await expect(status).toHaveValue('999');
	await status.fill('503');
	await page.keyboard.press('Enter');
	await expect(page.getByText('Character calls fail with status 503.')).toBeVisible();
	await expect(bar).toContainText('1 fault is active in this sandbox.');
	await page.getByRole('button', { name: 'Refresh is rejected: invalid_grant' }).press('Enter');
	await expect(bar).toContainText('2 faults are active in this sandbox.');
	await page.getByRole('button', { name: 'Delete fault: Token requests fail with invalid_grant.' }).press('Enter');
	await expect(bar).toContainText('1 fault is active in this sandbox.');

	await page.getByRole('link', { name: 'Character Viewer' }).first().press('Enter');
	await expect(page.getByRole('heading', { name: 'Client log' })).toBeVisible();
	await expect(bar).toBeVisible();
	await signIn(page, 'player-one');
	await lookUp(page, 'Mara Vell');
	await expect(events(page)).toContainText('503');
	await bar.getByRole('button', { name: 'Delete all' }).press('Enter');
	await expect(bar).toBeHidden();
	await showCharacter(page, 'Mara Vell');
}
