import { expect, type Locator, type Page } from '@playwright/test';

/** Opens the first part of a lesson from the list. */
export async function openLesson(page: Page, title: string, base = ''): Promise<void> {
	await page.goto(`${base}/learn`);
	await page.getByRole('link', { name: title }).click();
	await expect(stateOf(page)).toContainText('In short');
}

/** Starts the lesson whose first part is open, in its own sandbox. */
export async function startLesson(page: Page): Promise<void> {
	// The list of lessons has a Start button, too.
	await expect(stateOf(page)).toContainText('In short');
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await page.waitForURL(/~[^/]+\/learn\//);
	await expect(stateOf(page)).toContainText('Predict the result');
}

/** The text of the part that is shown, and the buttons Back and Next. */
export const stateOf = (page: Page): Locator => page.getByRole('region', { name: 'State of the lesson' });

/** Opens the next part of a lesson: `Start`, `Save`, `Next`, `Next lesson`. */
export async function goOn(page: Page): Promise<void> {
	await stateOf(page).locator('.next').click();
}

/** Waits until the shown step is done. */
export async function stepIsDone(page: Page): Promise<void> {
	await expect(stateOf(page).getByRole('status').filter({ hasText: 'Done.' })).toBeVisible();
}

/** From the prediction of a lesson to its first step. */
export async function predict(page: Page, option: string): Promise<void> {
	await page.getByRole('radio', { name: option }).check();
	await goOn(page);
}

/** Looks a character up with the tool of a lesson. */
export async function lookUp(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Look up', exact: true }).click();
}
