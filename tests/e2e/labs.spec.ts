import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const evidence = (page: Page) => page.getByRole('region', { name: 'What the service saw' });
const noScroll = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);

test('a lab is attacked and defended, and stays so after a reload', async ({ page }) => {
	await page.goto('/labs');
	await page.getByRole('link', { name: /Login CSRF/ }).click();
	await expect(page.getByText('The one wrong line')).toBeVisible();
	await expect(page.getByText('Simulated: lab sandbox')).toBeVisible();
	expect(await noScroll(page)).toBe(0);
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	const attacker = page.getByRole('region', { name: 'Attacker, player-three' });
	await attacker.getByRole('button', { name: 'Sign in with Tollgate' }).click();
	await page.getByRole('button', { name: 'Hold and allow' }).click();
	const held = page.getByRole('region', { name: 'Held message' });
	await expect(held.getByText('Will be checked:')).toContainText('Will be checked:');
	await expect(evidence(page).getByRole('row', { name: /Held, not delivered/ })).toBeVisible();
	await expectAccessible(page);
	// A near miss: the code is used by the attacker.
	await held.getByRole('button', { name: 'Release unchanged' }).click();
	await expect(page.getByText('The code was used by you.').first()).toBeVisible();
	await page.getByRole('button', { name: 'Start the attack again' }).click();
	await attacker.getByRole('button', { name: 'Sign in with Tollgate' }).click();
	await page.getByRole('button', { name: 'Hold and allow' }).click();
	await held.getByRole('button', { name: 'Remove', exact: true }).last().click();
	await page.getByRole('button', { name: 'Put on my page' }).click();
	await page.getByRole('region', { name: 'Victim, player-one' }).getByRole('button', { name: 'Sign up' }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'The victim is you' })).toBeVisible();
	await expect(page.getByRole('region', { name: 'What just happened' })).toBeVisible();
	expect(await noScroll(page)).toBe(0);
	await page.goBack();
	await expect(page.getByRole('heading', { level: 1, name: 'Open the page as the victim' })).toBeVisible();
	await page.goForward();
	await page.getByRole('button', { name: 'Defend' }).click();
	// The defense is off: the attack still works.
	await page.getByRole('button', { name: 'Run again' }).click();
	await expect(page.getByText('The attack still works').first()).toBeVisible();
	await page.getByRole('switch', { name: 'Require state' }).check();
	await page.getByRole('button', { name: 'Run again' }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'Same attack, rejected' })).toBeVisible();
	await expect(evidence(page).getByText('Attack rejected, good user signed in')).toBeVisible();
	await expect(evidence(page).getByRole('row', { name: /POST token Not sent/ })).toBeAttached();
	expect(await noScroll(page)).toBe(0);
	await expectAccessible(page);
	await page.reload();
	await expect(evidence(page).getByText('Attack rejected, good user signed in')).toBeVisible();
	await page.getByRole('link', { name: 'Leave' }).click();
	await expect(page.getByRole('link', { name: /Login CSRF.*Attack: done.*Defend: done/ })).toBeVisible();
});

test('a lab is attacked and defended with the keyboard, on a phone', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto('/labs/login-csrf?part=attack');
	await expect(page.getByRole('heading', { level: 1, name: /Sign in as/ })).toBeFocused();
	const press = async (tab: string, name: string) => {
		await page.keyboard.press(`Alt+${tab}`);
		const button = page.getByRole('button', { name });
		await expect(button).toBeVisible();
		while (!(await button.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
	};
	await press('2', 'Sign in with Tollgate');
	await press('3', 'Hold and allow');
	await press('3', 'Remove state');
	await expect(page.getByRole('button', { name: 'Put on my page' })).toBeVisible();
	await page.keyboard.press('f');
	await press('4', 'Sign up');
	await expect(page.getByRole('heading', { level: 1, name: 'The victim is you' })).toBeFocused();
	expect(await noScroll(page)).toBe(0);
	await page.keyboard.press('Alt+4');
	await expect(evidence(page).getByRole('heading')).toBeFocused();
	await page.keyboard.press('Alt+1');
	await press('1', 'Defend');
	await page.keyboard.press('Alt+2');
	await page.keyboard.press('Space');
	await press('3', 'Run again');
	await expect(page.getByRole('heading', { level: 1, name: 'Same attack, rejected' })).toBeFocused();
	expect(await noScroll(page)).toBe(0);
});
