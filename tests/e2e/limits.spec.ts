import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

const row = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const noScroll = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
const query = (page: Page) => new URL(page.url()).searchParams;

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('one stream is compared with four limiters, and a rejected request shows why', async ({ page }) => {
	await page.goto('/limits');
	await expect(row(page, 'Fixed window').getByText('20 of 20 accepted')).toBeVisible();
	await expect(row(page, 'Sliding log').getByText('11 of 20 accepted')).toBeVisible();
	await expect(row(page, 'Sliding log').getByText('HTTP/1.1 429 Too Many Requests')).toBeVisible();
	expect(await noScroll(page)).toBe(0);
	await expectAccessible(page);
	// By keyboard: the next row, and the first request that it rejected.
	await row(page, 'Fixed window')
		.getByRole('link', { name: /^Request 11 / })
		.focus();
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowRight');
	const mark = row(page, 'Sliding log').getByRole('link', { name: 'Request 12 at 61.8 s: rejected' });
	await expect(mark).toBeFocused();
	await page.keyboard.press('Enter');
	const opened = page.getByRole('region', { name: /Request 12 was rejected by two of four limiters/ });
	await expect(opened).toBeFocused();
	await expect(opened.getByRole('article', { name: 'Sliding log' })).toContainText('10 + 1 = 11');
	await opened.getByText('Trace', { exact: true }).click();
	await expect(opened.getByRole('article', { name: 'Sliding log' })).toContainText('rate_limit.not_exceeded');
	await expectAccessible(page);
	await opened.getByRole('link', { name: 'Request 13' }).click();
	await expect(page.getByRole('heading', { name: /Request 13 was rejected/ })).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(row(page, 'Sliding log').getByRole('link', { name: /^Request 13 / })).toBeFocused();
	await expect.poll(() => query(page).has('request')).toBe(false);
	await expect(page.getByRole('status').filter({ hasText: /^At 80 s: fixed window accepted 20, / })).toBeAttached();
});

test('the clock shows earlier moments, and changed fields are in the link', async ({ page }) => {
	await page.goto('/limits?question=edge-of-a-window');
	const fixed = row(page, 'Fixed window');
	await expect(fixed.getByRole('link')).toHaveCount(20);
	// The clock is at the end: it begins again.
	await page.getByRole('radio', { name: '1×' }).check({ force: true });
	await page.getByRole('button', { name: 'Run the clock' }).click();
	await page.getByRole('button', { name: 'Stop the clock' }).click();
	await expect(fixed.getByRole('link')).toHaveCount(1);
	await page.getByRole('button', { name: 'Next reset' }).click();
	await expect(fixed.getByRole('link')).toHaveCount(10);
	await page.getByRole('button', { name: 'Show as table' }).click();
	await expect(page.getByRole('dialog').getByRole('row')).toHaveCount(21);
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Change limiters' }).click();
	await page.getByRole('checkbox', { name: 'Token bucket' }).uncheck();
	await page.getByRole('checkbox', { name: /GCRA/ }).check();
	await page.getByRole('textbox', { name: 'Limit' }).fill('5');
	await page.getByRole('button', { name: 'Compare' }).click();
	await expect(row(page, 'GCRA, evenly spaced')).toBeVisible();
	await expect(fixed.getByText('10 of 10 accepted')).toBeVisible();
	expect(Object.fromEntries(query(page))).toEqual({
		question: 'edge-of-a-window',
		limit: '5',
		limiters: 'fixed_window,sliding_log,sliding_counter,gcra'
	});
	await page.getByRole('button', { name: 'Reset', exact: true }).click();
	await expect(row(page, 'Token bucket')).toBeVisible();
	// On a phone, one limiter is chosen.
	await page.setViewportSize({ width: 390, height: 844 });
	await expect(row(page, 'Token bucket')).toBeHidden();
	await page.getByRole('combobox', { name: 'Limiter' }).selectOption('Token bucket');
	await expect(row(page, 'Token bucket')).toBeVisible();
	expect(await noScroll(page)).toBe(0);
});

test('a fleet shows the herd, what jitter above the reset does to it, and two policies', async ({ page }) => {
	await page.goto('/limits?question=retries-together');
	const figures = page.getByRole('region', { name: 'Charts' });
	const finding = page.getByRole('status').filter({ hasText: 'They read the same number' });
	await expect(finding).toContainText('19 of 20 clients retry within one second');
	await expect(figures.getByText('19 requests')).toBeVisible();
	expect(await noScroll(page)).toBe(0);
	await expectAccessible(page);
	await page.getByRole('button', { name: 'Try jitter above the reset' }).click();
	await expect(page.getByRole('heading', { name: 'The retries arrive apart' })).toBeVisible();
	expect(Object.fromEntries(query(page))).toEqual({ question: 'retries-together', policy: 'jitter_above' });
	await page.getByRole('button', { name: 'Compare with Retry-After' }).click();
	await expect(page.getByRole('table', { name: 'Both policies' }).getByRole('row')).toHaveCount(3);
	await expectUsable(page);
});
