import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { events, lookUp, openViewer, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

const strip = (page: Page) => page.getByRole('region', { name: 'Inspector', exact: true });
const bothEnds = (page: Page) => page.getByRole('region', { name: 'Both ends of the request' });

test('one click leads from a failed request to the check that rejected it, below its row', async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one');
	await lookUp(page, 'Unknown Hero');
	await expect(strip(page)).toContainText('No such character');

	const checks = page.getByRole('link', { name: /^Show checks of .*Unknown Hero/ });
	const row = events(page).getByRole('listitem').filter({ has: checks });
	await checks.click();
	const failed = bothEnds(page).locator('[data-check="character.exists"]');
	await expect(failed).toBeInViewport();
	await expect(failed).toContainText('Failed:');
	await expect(bothEnds(page).getByRole('heading', { name: 'No such character' })).toBeVisible();
	await expect(row).toBeInViewport({ ratio: 0.9 });
	expect(await bottomOf(row)).toBeLessThanOrEqual(await topOf(bothEnds(page)));
	// Another request does not take the place of the chosen one.
	await lookUp(page, 'Mara Vell');
	await expect(bothEnds(page).getByRole('heading', { name: 'No such character' })).toBeVisible();
	// They are as high as their content.
	expect(await bothEnds(page).locator('.ends').evaluate(roomBelow)).toBeLessThanOrEqual(16);

	await page.keyboard.press('Escape');
	await expect(bothEnds(page)).toBeHidden();
	await expect(strip(page)).toContainText('Character returned');
	await expect(checks).toBeFocused();
	// They belong to their page.
	await page.keyboard.press('i');
	await expect(bothEnds(page)).toBeVisible();
	await page.keyboard.press('g');
	await page.keyboard.press('l');
	await expect(page).toHaveURL('/learn');
	await expect(bothEnds(page)).toBeHidden();
});

test('the lines end at their rows, whatever the size of the window', { tag: '@nightly' }, async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one');
	await page.getByRole('link', { name: /^Show checks of POST/ }).click();
	await expect(bothEnds(page).locator('g[data-link]')).toHaveCount(6);
	await expectLines(page);
	await page.setViewportSize({ width: 1000, height: 700 });
	await expectLines(page);
	await page.getByRole('separator', { name: 'Height of the inspector' }).press('ArrowDown');
	await bothEnds(page)
		.locator('.ends')
		.evaluate((box) => box.scrollTo(0, 120));
	await expectLines(page);
	await bothEnds(page).getByText('checks of the connection').click();
	await expectLines(page);
	// A window of 1280 pixels at 200 %.
	await page.setViewportSize({ width: 640, height: 400 });
	await expect(bothEnds(page).locator('svg.links')).toBeHidden();
	await expect(bothEnds(page).locator('p.part').getByText('code_verifier')).toBeVisible();
});

test('the strip follows the requests on every page, by keyboard, without moving the page', async ({ page, server }) => {
	const opened = await page.goto('/docs');
	// The page that the server sends has the whole strip, and does not claim what it does not know.
	const sent = await opened?.text();
	expect(sent).toMatch(/Both ends: the latest request appears here.*Pause at the arrow.*Next request/s);
	expect(sent).not.toContain('No request yet');
	await expect(strip(page)).toContainText('No request yet');
	await page.evaluate(() => fetch('/ws/v2.0/character/Mara%20Vell'));
	await expect(strip(page)).toContainText('invalid_token · access token missing');
	await page.keyboard.press('i');
	await expect(bothEnds(page)).toBeFocused();
	await expect(bothEnds(page)).toContainText('not sent');
	await expectAccessible(page);
	await page.emulateMedia({ forcedColors: 'active' });
	await expectAccessible(page);
	await page.emulateMedia({ forcedColors: null });
	await page.keyboard.press('i');
	await expect(bothEnds(page)).toBeHidden();
	// The page grows where the inspector was. The observer begins when that is painted.
	await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));

	await page.evaluate(() => {
		const shifts: unknown[] = [];
		new PerformanceObserver((list) =>
			shifts.push(
				...list
					.getEntries()
					.flatMap((shift) => Reflect.get(shift, 'sources'))
					.map((source: { node: Node | null }) => source.node?.parentElement?.outerHTML.slice(0, 300))
			)
		).observe({ type: 'layout-shift' });
		Reflect.set(window, 'shifts', shifts);
		const texts: string[] = [];
		const bar = document.querySelector('[aria-label="Inspector"]');
		if (bar !== null)
			new MutationObserver(() => texts.push(bar.textContent)).observe(bar, {
				subtree: true,
				characterData: true,
				childList: true
			});
		Reflect.set(window, 'texts', texts);
	});
	const started = Date.now();
	await page.evaluate(async () => {
		for (let at = 0; at < 60; at++) await fetch(`/ws/v2.0/character/${at}`);
	});
	await expect(strip(page)).toContainText('/ws/v2.0/character/59');
	const seconds = (Date.now() - started) / 1000;
	const changes = await page.evaluate(() => new Set(Reflect.get(window, 'texts')).size);
	expect(changes).toBeLessThanOrEqual(5 * Math.ceil(seconds) + 2);
	expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([]);
	await server.control('DELETE', '/control/traffic');
});

/** Fails unless each end of each line is within 2 pixels of the middle of its row. */
async function expectLines(page: Page): Promise<void> {
	await expect
		.poll(() =>
			page.locator('g[data-link]').evaluateAll((lines) =>
				lines.map((line) => {
					const [part = '', group = ''] = (line.getAttribute('data-link') ?? '').split(' → ');
					const ends = [...line.querySelectorAll('circle')].map((circle) => {
						const { top, height } = circle.getBoundingClientRect();
						return top + height / 2;
					});
					const rows = [`[data-part="${part}"]`, `[data-group="${group}"] > ol`].map((selector) => {
						const { top = NaN, height = NaN } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
						return top + height / 2;
					});
					return ends.map((end, at) => Math.abs(end - (rows[at] ?? NaN)) <= 2).join();
				})
			)
		)
		.toEqual(Array.from({ length: 6 }, () => 'true,true'));
}

/** The empty space below the last line of both ends, in pixels. */
function roomBelow(ends: Element): number {
	const bottoms = [...ends.querySelectorAll('section > *')].map((part) => part.getBoundingClientRect().bottom);
	return ends.getBoundingClientRect().bottom - Math.max(...bottoms);
}

async function topOf(element: Locator): Promise<number> {
	return (await element.boundingBox())?.y ?? NaN;
}

async function bottomOf(element: Locator): Promise<number> {
	const box = await element.boundingBox();
	return (box?.y ?? NaN) + (box?.height ?? NaN);
}
