import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { LabSummary } from '#course/labs/engine/lab.ts';
import { expectAccessible } from '../../e2e/axe.ts';
import { expect } from '../../e2e/fixtures.ts';

const folder = join(import.meta.dirname, '../../../src/course/labs/labs');

/** The names of the labs that can be opened, in their order. */
export async function openLabs(): Promise<string[]> {
	const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
		entry.isDirectory() ? [entry.name] : []
	);
	const labs = await Promise.all(
		names.map(async (id) => {
			const module: { readonly about: LabSummary } = await import(join(folder, id, 'about.ts'));
			return { id, ...module.about };
		})
	);
	return labs.sort((a, b) => a.order - b.order).map(({ id }) => id);
}

/** Whether the window scrolls. */
const scrolls = (page: Page) =>
	page.evaluate(() => {
		const { scrollHeight, scrollWidth } = document.documentElement;
		return scrollHeight > innerHeight || scrollWidth > innerWidth;
	});

/**
 * Attacks and defends an open lab: selects the action of each step, then the defense, and runs the attack again.
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
	const eyebrow = page.getByText(/^Step \d+ of \d+$/);
	const primary = page.locator('.center .button.primary:not([disabled])').first();
	while (new URL(page.url()).searchParams.get('part') === 'attack') {
		await expect(primary).toBeVisible();
		const before = await eyebrow.allTextContents();
		await press((await primary.innerText()).trim());
		await expect.poll(() => eyebrow.allTextContents(), { timeout: 20_000 }).not.toEqual(before);
		expect(await scrolls(page)).toBe(false);
	}
	await expect(page.getByText(/^The (?:attack succeeded|access ended)$/)).toBeVisible();
	await check();
	await press('Defend');
	if (hand === 'mouse') await page.getByRole('switch').check();
	else {
		await page.keyboard.press('Alt+2');
		await page.keyboard.press('Space');
	}
	await check();
	await press('Run again');
	await expect(page.getByText(/, good user signed in$/)).toBeVisible({ timeout: 20_000 });
	await check();
}
