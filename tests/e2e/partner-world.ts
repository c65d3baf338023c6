import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { hydrated, openPermissions } from './demo-clients.ts';

/** The example of a world file that is not the demo world. */
export const partnerFile = 'static/partner-world.json';

/** The text of the example. */
export function partnerWorld(): string {
	return readFileSync(partnerFile, 'utf8');
}

/**
 * Signs a user of the partner's world in with the viewer, and looks a ship up. The pages say nothing of the demo world.
 * @param base path of the app, without a trailing slash
 */
export async function walkPartnerWorld(page: Page, base = ''): Promise<void> {
	await page.goto(`${base}/`);
	await hydrated(page);
	await expect(page).toHaveTitle(/^Harbor Lane: /);
	await expect(page.getByText('Partner sandbox')).toBeVisible();
	await expectOwnWords(page);
	await expectAccessible(page);

	await page.goto(`${base}/viewer`);
	await expect(page).toHaveTitle('Fleet Portal · Harbor Lane');
	await openPermissions(page);
	await page.getByRole('checkbox', { name: 'View cargo' }).check();
	await expect(page.getByRole('checkbox', { name: 'Read ships' })).toBeChecked();
	await expectOwnWords(page);
	await expectAccessible(page);
	await page.getByRole('button', { name: 'Sign in with Harbor Lane' }).click();
	await page.getByRole('button', { name: /ada/i }).click();
	await expect(page.getByText('See what your own ships carry')).toBeVisible();
	await expectOwnWords(page);
	await expectAccessible(page);
	await page.locator('button[value=approve]').click();

	await page.waitForURL(/\/viewer$/);
	await page.getByRole('button', { name: 'Northern Light' }).click();
	await expect(page.getByRole('heading', { name: 'Northern Light' })).toBeVisible();
	await expect(page.getByText('grain, timber')).toBeVisible();
	await expect(page.getByText('Norway')).toBeVisible();
	await expect(page.getByRole('term').filter({ hasText: 'Flag state' })).toBeVisible();
	await expect(page.getByText('Requires position_read, for your own ships')).toBeVisible();
	await expect(page.getByRole('meter', { name: '/ws/v2.0/character/*' })).toHaveAttribute('aria-valuetext', /120/);
	await expectOwnWords(page);
	await expectAccessible(page);
}

/** The page names the partner. The path of a resource, the certificate's file and the parts of the tool keep their words. */
async function expectOwnWords(page: Page): Promise<void> {
	const text = await page.locator('body').innerText();
	expect(
		text.replaceAll(/\/ws\/v2\.0\/character\/|Simulated with Tollgate/g, '').replaceAll(/\S*\/tls\/ca\.pem/g, '')
	).not.toMatch(/tollgate|character|player-one|Mara Vell|Pocket Companion/i);
	expect(text).toContain('Harbor Lane');
}
