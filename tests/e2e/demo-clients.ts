import { expect, type BrowserContext, type Page } from '@playwright/test';
import type { Server } from './fixtures.ts';

/** Changes to the defaults of the sign-in form. */
export type SignInChoice = { readonly offline?: boolean; readonly permissions?: readonly string[] };

/**
 * Opens the Character Viewer.
 * @param prefix path prefix of a sandbox: `/~k3v9x2q7`
 */
export async function openViewer(page: Page, prefix = ''): Promise<void> {
	await page.goto(`${prefix}/viewer`);
	await expect(page.getByRole('heading', { name: /^(?:Sign in|Client log)$/ }).first()).toBeVisible();
}

/** Waits until the page is hydrated. The shell reads the status of the sandbox when it is mounted. */
export async function hydrated(page: Page): Promise<void> {
	await page.waitForFunction(() =>
		performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/control/status'))
	);
}

/** Follows a link to a page. Within the app the document stays. */
export async function followLink(page: Page, path: string): Promise<void> {
	await page.evaluate((href) => {
		const link = Object.assign(document.createElement('a'), { href });
		document.body.append(link);
		link.click();
		link.remove();
	}, path);
	await page.waitForURL(({ pathname }) => pathname === path || pathname === `${path}/`);
	await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

/** Opens the Pocket Companion. */
export async function openCompanion(page: Page): Promise<void> {
	await page.goto('/companion');
	await expect(page.getByRole('button', { name: 'Open sign-in window' })).toBeEnabled();
}

/** Fills in the sign-in form and goes to the authorization endpoint. */
export async function startSignIn(page: Page, { offline = false, permissions = [] }: SignInChoice = {}): Promise<void> {
	if (offline || permissions.length > 0) await openPermissions(page);
	if (offline) await page.getByText('Offline', { exact: true }).click();
	for (const permission of permissions) await page.getByRole('checkbox', { name: permission }).check();
	await page.getByRole('button', { name: 'Sign in with Tollgate' }).click();
	await page.waitForURL(/\/ws\/oauth2\/auth\//);
}

/** Opens the permissions of the sign-in form, which are folded before the first sign-in. */
export async function openPermissions(page: Page): Promise<void> {
	const form = page.locator('details', { hasText: 'Permissions and access' });
	if ((await form.getAttribute('open')) === null) await form.locator('summary').click();
}

/** Signs in to Tollgate with a demo account, up to the consent page. */
export async function chooseAccount(page: Page, username: string): Promise<void> {
	await page.getByRole('button', { name: username }).click();
	await expect(page.locator('button[value=approve]')).toBeVisible();
}

/** Allows access on the consent page. */
export async function allow(page: Page): Promise<void> {
	await page.locator('button[value=approve]').click();
}

/** Denies access on the consent page. */
export async function deny(page: Page): Promise<void> {
	await page.locator('button[value=deny]').click();
}

/** Signs a user in to the Character Viewer, which must be open. */
export async function signIn(page: Page, username: string, choice: SignInChoice = {}): Promise<void> {
	await startSignIn(page, choice);
	await chooseAccount(page, username);
	await allow(page);
	await page.waitForURL(/\/viewer$/);
	await expect(users(page)).toBeVisible();
}

/** Signs in two users: the first with offline access, then the second, who becomes the active user. */
export async function signInTwoUsers(page: Page): Promise<void> {
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	await page.getByRole('button', { name: 'Add user' }).click();
	await signIn(page, 'player-two');
}

/** Opens the sign-in window of the Pocket Companion. */
export async function openPopup(page: Page, button = 'Open sign-in window'): Promise<Page> {
	const popup = page.waitForEvent('popup');
	await page.getByRole('button', { name: button, exact: true }).click();
	return popup;
}

/** The list of signed-in users. */
export const users = (page: Page) => page.getByRole('list', { name: 'Users' });

/** The list of log entries. */
export const events = (page: Page) => page.getByRole('list', { name: 'Client events' });

/** Opens the options of the sign-in form that most users leave alone. */
export async function openAdvancedOptions(page: Page): Promise<void> {
	await page.getByText('Advanced options').click();
}

/** The gauge of the endpoint that returns the rate limits. */
export const rateLimitsGauge = (page: Page) => page.getByRole('meter', { name: '/ws/v2.0/ratelimits' });

/** The gauge of the character endpoint. */
export const characterGauge = (page: Page) => page.getByRole('meter', { name: '/ws/v2.0/character/*' });

/** Types the name of a character and looks it up. */
export async function lookUp(page: Page, name: string): Promise<void> {
	await page.getByLabel('Character name').fill(name);
	await page.getByRole('button', { name: 'Look up', exact: true }).click();
}

/** Looks a character up and waits for it. */
export async function showCharacter(page: Page, name: string): Promise<void> {
	await lookUp(page, name);
	await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
}

/** Counts the requests of a browser context whose URL contains a text. */
export function countRequests(source: Page | BrowserContext, text: string): () => number {
	let count = 0;
	const context = 'context' in source ? source.context() : source;
	context.on('request', (request) => {
		if (request.url().includes(text)) count += 1;
	});
	return () => count;
}

/** Creates a sandbox. Returns the path of its base URL: `/~k3v9x2q7`. */
export async function createSandbox(server: Server): Promise<string> {
	const sandbox = JSON.stringify(await server.control('POST', '/control/sandboxes'));
	return new URL(/"base_url":"([^"]+)"/.exec(sandbox)?.[1] ?? '').pathname;
}
