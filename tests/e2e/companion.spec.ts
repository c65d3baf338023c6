import {
	allow,
	characterGauge,
	chooseAccount,
	events,
	openCompanion,
	openPopup,
	showCharacter,
	users
} from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { layoutShift } from './layout-shift.ts';
import { expectUsable } from './reflow.ts';

test('the page reads the code from the window title, without a layout shift', async ({ page }) => {
	await openCompanion(page);
	const popup = await openPopup(page);
	await expect(popup.getByRole('button', { name: 'player-one' })).toBeVisible();
	const { searchParams } = new URL(popup.url());
	expect(searchParams.get('redirect_uri')).toBe('urn:ietf:wg:oauth:2.0:oob');
	expect(searchParams.has('access_type')).toBe(false);
	await chooseAccount(popup, 'player-one');
	await expect(page.getByText('Waiting for the sign-in window')).toBeVisible();
	const exchange = page.waitForRequest(/\/ws\/oauth2\/token\/$/);
	const closed = popup.waitForEvent('close');
	await allow(popup);
	await closed;
	const form = new URLSearchParams((await exchange).postData() ?? '');
	expect(form.get('redirect_uri')).toBe('urn:ietf:wg:oauth:2.0:oob');
	expect(form.get('access_type')).toBe('offline');
	expect(form.get('code_verifier')).not.toBeNull();
	await expect(users(page)).toContainText('Offline access');
	expect(await layoutShift(page)).toBeLessThan(0.005);
	await expectUsable(page);

	await showCharacter(page, 'Mara Vell');
	await expect(characterGauge(page)).toHaveAttribute('aria-valuenow', '599');
	await page.reload();
	await expect(users(page)).toContainText('Offline access');
	await page.goto('/viewer');
	await expect(page.getByRole('button', { name: 'Sign in with Tollgate' })).toBeVisible();
	await page.goto('/companion');
	await page.getByRole('button', { name: 'Sign out' }).click();
	await expect(page.getByRole('button', { name: 'Open sign-in window' })).toBeVisible();
});

test('a closed window can be opened again, with a new state', { tag: '@nightly' }, async ({ page }) => {
	await openCompanion(page);
	const first = await openPopup(page);
	await expect(first.getByRole('button', { name: 'player-one' })).toBeVisible();
	const state = new URL(first.url()).searchParams.get('state');
	await first.close();
	await expect(page.getByRole('status').filter({ hasText: 'The sign-in window was closed' })).toBeVisible();
	const second = await openPopup(page, 'Reopen window');
	await expect(second.getByRole('button', { name: 'player-one' })).toBeVisible();
	expect(new URL(second.url()).searchParams.get('state')).not.toBe(state);
	await chooseAccount(second, 'player-one');
	await allow(second);
	await expect(users(page)).toBeVisible();
});

test('a blocked window offers manual entry', { tag: '@nightly' }, async ({ page, context }) => {
	await page.addInitScript(() => (window.open = () => null));
	await openCompanion(page);
	await page.getByRole('button', { name: 'Open sign-in window' }).click();
	await expect(page.getByText('The browser blocked the window')).toBeVisible();
	await expect(page.getByText('Manual entry is less secure')).toBeVisible();
	const opened = context.waitForEvent('page');
	await page.getByRole('link', { name: 'Open Tollgate sign-in' }).click();
	const service = await opened;
	await expect(service.getByRole('button', { name: 'player-three' })).toBeVisible();
	expect(await service.evaluate(() => window.opener)).toBeNull();
	await chooseAccount(service, 'player-three');
	await allow(service);
	const code = await service.locator('#code').innerText();

	await page.getByLabel('Code', { exact: true }).fill('not a code');
	await page.getByRole('button', { name: 'Submit code' }).click();
	await expect(page.getByLabel('Code', { exact: true })).toHaveAttribute('aria-invalid', 'true');
	await page.getByLabel('Code', { exact: true }).fill(`  Success,code=${code}\n`);
	await page.getByRole('button', { name: 'Submit code' }).click();
	await expect(users(page)).toBeVisible();
	await expect(events(page)).toContainText('PKCE');
});
