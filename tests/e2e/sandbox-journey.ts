import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** The button of the top bar that says which sandbox is open. */
export function sandboxMenu(page: Page) {
	return page.locator('header').getByTitle(/^Sandbox: /);
}

/** The button of the menu of the open sandbox, if this browser controls it. */
export function sandboxActions(page: Page) {
	return page.getByRole('button', { name: /^Actions of / });
}

/** Selects a line of the menu of the open sandbox. */
export async function selectAction(page: Page, action: string): Promise<void> {
	await sandboxActions(page).press('Enter');
	await page
		.getByRole('group', { name: /^Actions of / })
		.getByRole('button', { name: action })
		.press('Enter');
}

/** Waits for the page of a sandbox that this browser controls. */
export async function expectOpen(page: Page, name: string): Promise<void> {
	await expect(sandboxActions(page)).toBeVisible();
	await expect(sandboxMenu(page)).toContainText(name);
}

/**
 * Creates a sandbox, names it, saves it, restores it, forks it and deletes the fork, with the keyboard.
 * @param root base URL of the root sandbox
 */
export async function manageSandboxes(page: Page, root: string): Promise<void> {
	await page.goto(`${root}/controls/sandboxes`);
	await expect(sandboxMenu(page)).toContainText('Default sandbox');
	await page.getByRole('button', { name: 'Create sandbox' }).press('Enter');
	await expect(page).toHaveURL(/\/~[\w-]{20}\/controls\/sandboxes$/);
	await expectOpen(page, 'Sandbox ');
	const own = page.url();

	await selectAction(page, 'Rename…');
	const name = page.getByRole('textbox', { name: 'Name', exact: true });
	await name.fill('   ');
	await name.press('Enter');
	await expect(name).toBeFocused();
	await expect(name).toHaveAttribute('aria-invalid', 'true');
	await name.fill('Checkout tests');
	await name.press('Enter');
	await expectOpen(page, 'Checkout tests');

	await expect(sandboxActions(page)).toBeFocused();
	await selectAction(page, 'Snapshot and fork…');
	const download = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Save snapshot' }).press('Enter');
	const saved = await download;
	expect(saved.suggestedFilename()).toBe('tollgate-checkout-tests.json');
	const file = page.getByLabel('Restore from a snapshot');
	await file.setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('no JSON') });
	await expect(page.getByText('The file is not a snapshot')).toBeVisible();
	await file.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"format":"x"}') });
	const dialog = page.getByRole('dialog', { name: 'Replace the content of this sandbox?' });
	await dialog.getByRole('button', { name: 'Restore snapshot' }).press('Enter');
	await expect(dialog).toContainText('The file is not a Tollgate snapshot.');
	await dialog.press('Escape');
	await file.setInputFiles(await saved.path());
	await dialog.getByRole('button', { name: 'Restore snapshot' }).press('Enter');
	await expect(page.getByText('Snapshot restored', { exact: true })).toBeVisible();
	// It returns the focus when it closes.
	await expect(dialog).toBeHidden();

	await page.getByRole('textbox', { name: 'Fork into a new sandbox' }).press('Enter');
	await expectOpen(page, 'Copy of Checkout tests');
	expect(page.url()).not.toBe(own);
	await selectAction(page, 'Delete…');
	const deletion = page.getByRole('dialog', { name: 'Delete this sandbox?' });
	await expect(deletion).toContainText('2 applications');
	await deletion.getByRole('button', { name: 'Delete sandbox' }).press('Enter');
	await expect(page).toHaveURL(`${root}/controls/sandboxes`);
	await expect(sandboxMenu(page)).toContainText('Default sandbox');
	const mine = page.getByRole('region', { name: 'Your sandboxes' });
	await expect(mine.getByRole('rowheader')).toHaveCount(2);

	await sandboxMenu(page).press('Enter');
	const menu = page.getByRole('group', { name: 'Sandbox' });
	await menu.getByRole('link', { name: 'Checkout tests' }).press('Enter');
	await expect(page).toHaveURL(own);
	await expectOpen(page, 'Checkout tests');
}

/** Prepares the open sandbox, and creates another one by its preset link. */
export async function usePresetLink(page: Page): Promise<void> {
	await change(page, 'PATCH', 'settings', { limits: { character: 7 } });
	await change(page, 'POST', 'applications', { name: 'Shop', kind: 'web', redirect_uris: ['https://client.test/'] });
	await page.reload();
	await selectAction(page, 'Preset link…');
	const panel = page.getByRole('dialog', { name: 'Preset link' });
	await expect(panel).toContainText('Limits: /ws/v2.0/character/* 7');
	await panel.getByRole('button', { name: 'Create preset link' }).press('Enter');
	const link = await panel.locator('code', { hasText: '/preset#' }).textContent();
	const { href } = new URL(link ?? '');

	await page.goto(`${href}x`);
	await expect(page.getByText('This preset link does not work')).toBeVisible();
	await page.goto(href);
	await expect(page.getByRole('region', { name: 'What the link prepares' })).toContainText('Shop (web server)');
	const name = page.getByRole('textbox', { name: 'Name (optional)' });
	await name.fill('Class 7');
	await name.press('Enter');
	await expect(page.getByRole('button', { name: 'Copy client_secret' })).toBeVisible();
	await expect(page.getByText(/^[\w-]{43}$/)).toBeVisible();
	await page.getByRole('link', { name: 'Open sandbox' }).press('Enter');
	await expect(sandboxMenu(page)).toContainText('Class 7');
}

/** Calls the control API of the open sandbox from its page. */
async function change(page: Page, method: string, path: string, body: object): Promise<void> {
	const url = `${page.url().replace('/controls/sandboxes', '')}/control/${path}`;
	const isDone = await page.evaluate(
		async ({ url, method, body }) => {
			const headers = { 'Content-Type': 'application/json' };
			return (await fetch(url, { method, headers, body: JSON.stringify(body) })).ok;
		},
		{ url, method, body }
	);
	expect(isDone, url).toBe(true);
}
