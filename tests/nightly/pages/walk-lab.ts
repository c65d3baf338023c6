import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from '@playwright/test';
import { parse } from 'yaml';
import { expectAccessible } from '../../e2e/axe.ts';
import { expect } from '../../e2e/fixtures.ts';

const folder = join(import.meta.dirname, '../../../src/content/labs');

/** The names of the labs that can be opened, in their order. */
export function openLabs(): string[] {
	const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
	const labs = files.map((name) => {
		const { order }: { readonly order: number } = parse(readFileSync(join(folder, name), 'utf8'));
		return { id: basename(name, '.yaml'), order };
	});
	return labs.sort((a, b) => a.order - b.order).map(({ id }) => id);
}

/** Whether the window scrolls. */
const scrolls = (page: Page) =>
	page.evaluate(() => {
		const { scrollHeight, scrollWidth } = document.documentElement;
		return scrollHeight > innerHeight || scrollWidth > innerWidth;
	});

/**
 * Attacks and defends an open lab: selects the action of each step, then one defense after the other, and runs the attack again.
 * axe checks each part.
 * @param hand how a button is pressed
 */
export async function walkLab(page: Page, hand: 'mouse' | 'keyboard'): Promise<void> {
	const press = async (name: string | RegExp) => {
		const button = page.getByRole('button', { name }).first();
		if (hand === 'mouse') return button.click();
		for (let stops = 0; stops < 60; stops++) {
			if (await button.evaluate((element) => element === document.activeElement)) return page.keyboard.press('Enter');
			await page.keyboard.press('Tab');
		}
		throw new Error(`${String(name)} cannot be reached with Tab.`);
	};
	const check = async () => {
		await expectAccessible(page);
		for (const size of [
			{ width: 390, height: 844 },
			{ width: 1280, height: 800 }
		]) {
			await page.setViewportSize(size);
			expect(await scrolls(page)).toBe(false);
		}
	};
	await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible();
	await check();
	await press('Start');
	await page.waitForURL(/part=attack/);
	await check();
	// With the steps, one button is the next one.
	const guided = page.getByRole('button', { name: 'Guided' });
	if ((await guided.getAttribute('aria-pressed')) !== 'true') await guided.click();
	const primary = page.locator('.center .button.primary:not([disabled])').first();
	const reached = page.getByRole('button', { name: 'See what happened' });
	while (!(await reached.isVisible())) {
		await expect(primary.or(reached).first()).toBeVisible({ timeout: 20_000 });
		if (await reached.isVisible()) break;
		const name = (await primary.innerText()).trim();
		await press(name);
		await expect(primary.or(reached).filter({ hasNotText: name }).first()).toBeVisible({ timeout: 20_000 });
		expect(await scrolls(page)).toBe(false);
	}
	await check();
	await press('See what happened');
	await expect(page.getByText(/^The (?:attack succeeded|access ended)$/)).toBeVisible();
	await check();
	await press('Defend');
	// Each defense, until one has done both.
	const radios = page.getByRole('radio');
	const remains = page.getByRole('button', { name: 'See what remains' });
	for (let at = 0; at < 4 && !(await remains.isVisible()); at++) {
		if (hand === 'mouse') await radios.nth(at).check();
		else {
			await page.keyboard.press('Alt+2');
			await page.keyboard.press(String(at + 1));
		}
		for (const unknown of await page.getByText('I don’t know').all()) await unknown.click();
		await check();
		await press('Run');
		await expect(page.getByText(/^\s*You said: /).first()).toBeVisible({ timeout: 20_000 });
	}
	await press('See what remains');
	await expect(page.getByText(/, good user (?:signed in|can start)$/)).toBeVisible({ timeout: 20_000 });
	await check();
}
