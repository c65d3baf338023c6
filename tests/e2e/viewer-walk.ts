import { expect, type Page } from '@playwright/test';

/** What is chosen on the sign-in panel, beside what stands there already. */
export type Choice = { readonly offline?: boolean; readonly permissions?: readonly string[] };

/** Opens the viewer, below a sandbox's prefix where one is given. */
export async function openViewer(page: Page, prefix = ''): Promise<void> {
	await page.goto(`${prefix}/viewer`);
	await expect(page.getByRole('heading', { name: 'What the client does' })).toBeVisible();
}

/** Fills in the sign-in panel and leaves for the service. */
export async function leave(page: Page, { offline = false, permissions = [] }: Choice = {}): Promise<void> {
	if (offline) await page.getByText('Offline', { exact: true }).click();
	for (const permission of permissions) await page.getByRole('checkbox', { name: permission }).check();
	await page.getByRole('button', { name: 'Continue to the service' }).click();
	await page.waitForURL(/\/ws\/oauth2\/auth\//);
}

/** Signs a demo person in at the service; agrees where that is asked. */
export async function agree(page: Page, username: string): Promise<void> {
	await page.getByRole('button', { name: username }).click();
	await page.locator('button[value=approve]').click();
	await page.waitForURL(/\/viewer$/);
	await expect(people(page)).toBeVisible();
}

/** The whole way: from the panel to the page with somebody signed in. */
export async function signIn(page: Page, username: string, choice: Choice = {}): Promise<void> {
	await leave(page, choice);
	await agree(page, username);
}

/** Signs in two people: the first with offline access, the second, who is then chosen, without. */
export async function signInTwo(page: Page): Promise<void> {
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	await page.goto('/account');
	await page.getByRole('button', { name: 'Sign out' }).click();
	await openViewer(page);
	await page.getByRole('button', { name: 'Add', exact: true }).click();
	await signIn(page, 'player-two');
}

/** The list of those who are signed in. */
export function people(page: Page) {
	return page.getByRole('list', { name: 'People' });
}

/** Shows a character by typing its name. */
export async function show(page: Page, name: string): Promise<void> {
	await page.getByLabel('Name', { exact: true }).fill(name);
	await page.getByRole('button', { name: 'Show', exact: true }).click();
}

/** Waits until the log says it: the log follows what happened at a pace of its own, so that the gauges paint first. */
export async function expectStep(page: Page, words: string): Promise<void> {
	const sentences = page.getByRole('list', { name: 'Steps of the client' }).locator('li > .what');
	await expect(sentences.filter({ hasText: words }).first()).toBeVisible();
}
