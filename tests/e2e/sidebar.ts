import type { Page } from '@playwright/test';
import type { SiteDoor } from '#api/site.ts';

/** Opens a page of the sidebar, and first the door that contains it. */
export async function openFromSidebar(page: Page, door: SiteDoor, name: string): Promise<void> {
	const sidebar = page.getByRole('navigation', { name: 'Main' });
	const link = sidebar.getByRole('link', { name, exact: true });
	if (!(await link.isVisible())) await sidebar.getByRole('button', { name: door }).press('Enter');
	await link.press('Enter');
}

/** Opens a page of the menu of the sandbox. */
export async function openFromSandboxMenu(page: Page, name: string): Promise<void> {
	await page
		.locator('header')
		.getByTitle(/^Sandbox: /)
		.press('Enter');
	await page.getByRole('group', { name: 'Sandbox' }).getByRole('link', { name, exact: true }).press('Enter');
}
