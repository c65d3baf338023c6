import { expect, type Locator, type Page } from '@playwright/test';
import { allow, chooseAccount } from './demo-clients.ts';

/** Opens the request builder. */
export async function openBuilder(page: Page): Promise<void> {
	await page.goto('/request');
	await expect(page.getByRole('button', { name: 'Open in this tab' })).toBeVisible();
}

/** Shows another kind of request. */
export async function choose(page: Page, kind: string): Promise<void> {
	await page.getByRole('group', { name: 'Request', exact: true }).getByText(kind, { exact: true }).click();
}

/** The value of a parameter. */
export function parameter(page: Page, name: string): Locator {
	return page.getByRole('main').getByLabel(name, { exact: true });
}

/** Sends the user away, who approves and comes back with a code. */
export async function authorize(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Open in this tab' }).click();
	await chooseAccount(page, 'player-one');
	await allow(page);
	await expect(page.getByText('Code received and filled in')).toBeVisible();
}
