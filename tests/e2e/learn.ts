import { expect, type Page } from '@playwright/test';

/** Opens a lesson from the list, and starts it in its own sandbox. */
export async function startLesson(page: Page, title: string, base = ''): Promise<void> {
	await page.goto(`${base}/learn`);
	await page.getByRole('link', { name: title }).click();
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await page.waitForURL(/~[^/]+\/learn\//);
	await expect(page.getByRole('region', { name: 'State of the lesson' })).toBeVisible();
	await expect(page.getByRole('heading', { name: 'Client log' })).toBeVisible();
}

/** Looks a character up with the viewer of a lesson. */
export async function lookUp(page: Page, name: string): Promise<void> {
	await page.getByLabel('Character name').fill(name);
	await page.getByRole('button', { name: 'Look up' }).click();
}
