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
	const tools = page.getByRole('region', { name: /^(?:Your tools|Held message)$/ });
	// The goal is a sentence about the log. Nothing leads to it before it is there.
	await expect(evidence(page).getByText('Goal: not in the log yet')).toBeVisible();
	await expect(page.getByText('None yet. Every move can be undone.')).toBeVisible();
	await tools.getByRole('button', { name: 'Hold and allow' }).click();
	const held = page.getByRole('region', { name: 'Held message' });
	await expect(evidence(page).getByRole('row', { name: /Held, not delivered/ })).toBeVisible();
	await expect(page.locator('.button.primary')).toHaveCount(0);
	await expectAccessible(page);
	// A wrong move: its sentence is below its row, and undoing it goes back to the held message.
	await held.getByRole('button', { name: 'Release unchanged' }).click();
	await expect(evidence(page).getByText(/^Your own browser brought the code/)).toBeVisible();
	await expectAccessible(page);
	await evidence(page).getByRole('button', { name: 'Undo move 2' }).click();
	await expect(evidence(page).getByRole('row', { name: /Held, not delivered/ })).toBeVisible();
	// Guided shows the steps, and keeps the moves.
	await page.getByRole('button', { name: 'Guided' }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'Remove state' })).toBeVisible();
	await page.getByRole('button', { name: 'Guided' }).click();
	await held.getByRole('button', { name: 'Remove state', exact: true }).first().click();
	await page.getByRole('button', { name: 'Put on my page' }).click();
	await tools.getByRole('button', { name: 'Open as the victim' }).click();
	await expect(evidence(page).getByText('Goal: in the log')).toBeVisible();
	await page.getByRole('button', { name: 'See what happened' }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'The victim is you' })).toBeVisible();
	await expect(page.getByRole('region', { name: 'What just happened' })).toBeVisible();
	expect(await noScroll(page)).toBe(0);
	await page.goBack();
	await expect(evidence(page).getByText('Goal: in the log')).toBeVisible();
	await page.goForward();
	await page.getByRole('button', { name: 'Defend' }).click();
	const run = async (defense: string) => {
		await page.getByRole('radio', { name: defense }).check();
		const group = (name: string) => page.getByRole('group', { name, exact: true });
		await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
		await group('Your attack').getByText('Rejected').click();
		await group('player-two').getByText('Signs in').click();
		await page.getByRole('button', { name: 'Run', exact: true }).click();
	};
	const result = (name: string) => page.getByRole('region', { name, exact: true });
	await run('Use a longer state');
	await expect(result('Your attack')).toContainText('Attack succeeded');
	await expect(result('Good user')).toContainText('player-two signed in');
	await run('Reject responses from other sites');
	await expect(result('Your attack')).toContainText('Attack rejected');
	await expect(result('Good user')).toContainText('Found');
	await expect(page.getByRole('button', { name: 'Next', exact: true })).toBeDisabled();
	await expectAccessible(page);
	await run('Require state');
	await expect(evidence(page).getByText('Attack rejected, good user signed in')).toBeVisible();
	await expect(result('Your attack')).toContainText('A missing state is rejected');
	await expect(page.getByText('RFC 9700 §4.7')).toBeVisible();
	await page.getByRole('button', { name: 'See what remains' }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'Same attack, rejected' })).toBeVisible();
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
	await expect(page.getByRole('heading', { level: 1, name: /player-three is in/ })).toBeFocused();
	const press = async (tab: string, name: string | RegExp) => {
		await page.keyboard.press(`Alt+${tab}`);
		const button = page.getByRole('button', { name, exact: true }).first();
		await expect(button).toBeVisible();
		while (!(await button.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
	};
	await press('3', 'Hold and allow');
	await expect(page.getByRole('region', { name: 'Held message' })).toBeVisible();
	// A wrong move, and back.
	await press('3', 'Release unchanged');
	await page.keyboard.press('Alt+5');
	await expect(page.getByRole('button', { name: 'Undo move 2' })).toBeVisible();
	await page.keyboard.press('l');
	await expect(page.getByRole('button', { name: 'Undo move 2' })).toBeFocused();
	await page.keyboard.press('Control+z');
	await page.keyboard.press('h');
	await press('3', 'Remove state');
	await expect(page.getByRole('button', { name: 'Put on my page' })).toBeVisible();
	await page.keyboard.press('f');
	await press('3', 'Open as the victim');
	await press('1', 'See what happened');
	await expect(page.getByRole('heading', { level: 1, name: 'The victim is you' })).toBeFocused();
	expect(await noScroll(page)).toBe(0);
	await page.keyboard.press('Alt+4');
	await expect(evidence(page).getByRole('heading').first()).toBeFocused();
	await press('1', 'Defend');
	for (const key of ['1', '2', '3', '4']) {
		await page.keyboard.press('Alt+2');
		await page.keyboard.press(key);
		if (await page.getByRole('radio', { name: 'Require state' }).isChecked()) break;
	}
	await page.keyboard.press('Alt+3');
	for (let choice = 0; choice < 2; choice++) {
		await page.keyboard.press('Space');
		await page.keyboard.press('Tab');
	}
	await press('3', 'Run');
	await expect(page.getByText('Attack rejected, good user signed in').first()).toBeAttached();
	await press('1', 'See what remains');
	await expect(page.getByRole('heading', { level: 1, name: 'Same attack, rejected' })).toBeFocused();
	expect(await noScroll(page)).toBe(0);
});
