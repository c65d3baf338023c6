import type { Page } from '@playwright/test';
import { demoGuide } from '#features/studio/guide/demo-guide.ts';
import { expectAccessible } from './axe.ts';
import { hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

const { title, steps } = demoGuide;
const panelOf = (page: Page) => page.getByRole('complementary', { name: title });
const outlined = (page: Page) => page.locator('[data-guide-shown]');

/** Whether the panel does not cover what it points at. */
async function expectInView(page: Page): Promise<void> {
	const [panel, target] = [await panelOf(page).boundingBox(), await outlined(page).boundingBox()];
	if (panel === null || target === null) throw new Error('There is no panel, or no target.');
	const isBeside = target.x + Math.min(target.width, 24) <= panel.x;
	const isAbove = target.y >= 0 && target.y + Math.min(target.height, 24) <= panel.y;
	expect(isBeside || isAbove, JSON.stringify({ panel, target })).toBe(true);
}

test('Next presses what is outlined, and opens the page of the step after it', async ({ page }) => {
	await page.goto('/viewer');
	await hydrated(page);
	await page.evaluate(() => {
		const step = { title: 'Permissions', text: '.', path: '/viewer', target: 'viewer.permissions', press: true };
		const steps = [step, { title: 'Requests', text: '.', path: '/inspector' }];
		sessionStorage.setItem('tollgate:guide', JSON.stringify({ home: '', id: 'a', at: 0, title: 'Test', steps }));
	});
	await page.reload();
	const panel = page.getByRole('complementary', { name: 'Test' });
	await panel.getByRole('button', { name: 'Next' }).click();
	await page.waitForURL(/\/inspector$/);
	await expect(panel.getByRole('heading', { name: 'Requests' })).toBeVisible();
	await expect(panel.getByRole('button', { name: 'Finish' })).toBeVisible();
});

test('the guided demo of the demo world leads through the real pages', async ({ page, context }) => {
	await page.goto('/guide');
	await hydrated(page);
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await page.waitForURL(/\/~.*\/viewer$/);
	const popup = context.waitForEvent('page');
	await panelOf(page).getByRole('button', { name: 'Notes' }).click();
	const presenter = await popup;
	for (const [at, step] of steps.entries()) {
		if (at === steps.length - 1) await panelOf(page).getByRole('button', { name: 'Open page' }).click();
		await page.waitForURL(({ pathname }) => pathname.endsWith(step.path));
		await expect(panelOf(page).getByRole('heading', { name: step.title })).toBeVisible();
		await expect(outlined(page)).toHaveAttribute('data-guide', step.target ?? '');
		await expectInView(page);
		await expect(presenter.getByText(step.notes ?? '')).toBeVisible();
		if (at === 1) {
			await page.reload();
			await expect(outlined(page)).toHaveAttribute('data-guide', step.target ?? '');
		}
		if (step.path !== '/inspector') {
			await page.setViewportSize({ width: 390, height: 800 });
			await outlined(page).scrollIntoViewIfNeeded();
			await expectInView(page);
			if (at === 0 || at === 4) await expectAccessible(page);
			await page.setViewportSize({ width: 1280, height: 800 });
		}
		if (step.press === true) await outlined(page).click();
		else if (at % 2 === 0)
			await panelOf(page)
				.getByRole('button', { name: /^(?:Next|Finish)$/ })
				.click();
		else await presenter.getByRole('button', { name: /^(?:Next|Finish)$/ }).click();
	}
	await expect(panelOf(page)).toBeHidden();
	await expect(presenter.getByText('The demo has ended')).toBeVisible();
	await page.goto('/viewer');
	await hydrated(page);
	await expect(panelOf(page)).toBeHidden();
});
