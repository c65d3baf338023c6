import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { hydrated } from '../../e2e/demo-clients.ts';
import { expect, test } from '../../e2e/fixtures.ts';
import { hostileWorlds } from './hostile-worlds.ts';

// World files that try to run scripts, to reach other hosts, or to break pages. Each is rejected with a sentence, or shown as text.

/** What a world must not cause. */
function watch(page: Page, origin: string): string[] {
	const seen: string[] = [];
	page.on('dialog', (dialog) => {
		seen.push(`dialog: ${dialog.message()}`);
		void dialog.dismiss();
	});
	page.on('request', (request) => {
		const url = request.url();
		if (!url.startsWith(`${origin}/`) && !url.startsWith('data:image/')) seen.push(`request: ${url.slice(0, 100)}`);
	});
	page.on('popup', (popup) => seen.push(`window: ${popup.url()}`));
	return seen;
}

/** No script ran, no link or form can start one, and the page fits on a phone. */
async function expectInert(page: Page): Promise<void> {
	expect(await page.evaluate(() => 'hostile' in window)).toBe(false);
	expect(await page.locator('a[href^="javascript:" i], a[href^="data:" i], form[action*="evil"]').count()).toBe(0);
	await page.setViewportSize({ width: 390, height: 800 });
	expect(await page.evaluate(() => document.documentElement.scrollWidth), page.url()).toBe(390);
	await page.setViewportSize({ width: 1280, height: 800 });
}

/** Opens a sandbox that this browser controls. */
async function createSandbox(page: Page): Promise<string> {
	return page.evaluate(async () => {
		const response = await fetch('/control/sandboxes', {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: '{}'
		});
		const created: unknown = await response.json();
		return typeof created === 'object' && created !== null && 'base_url' in created ? String(created.base_url) : '';
	});
}

const put = (page: Page, baseUrl: string, body: string) =>
	page.evaluate(
		async ([url, text]) => {
			const headers = { 'Content-Type': 'application/json' };
			const response = await fetch(url, { method: 'PUT', headers, body: text });
			return { status: response.status, text: await response.text() };
		},
		[`${baseUrl}/control/world`, body] as const
	);

for (const { name, text, rejected } of hostileWorlds(JSON.parse(readFileSync('tests/worlds/bank.json', 'utf8')))) {
	test(name, async ({ page, server }) => {
		const seen = watch(page, server.origin);
		await page.goto('/');
		const baseUrl = await createSandbox(page);
		const response = await put(page, baseUrl, text);
		if (rejected !== undefined) {
			expect(response.status, response.text).toBe(rejected.status ?? 400);
			expect(response.text).toMatch(rejected.reason);
			await page.goto(`${baseUrl}/viewer`);
			await hydrated(page);
			await expect(page).toHaveTitle('Character Viewer · Tollgate');
		} else {
			expect(response.status, response.text).toBe(200);
			for (const path of ['/', '/studio', '/request', '/docs/your-client', '/guide', '/viewer']) {
				await page.goto(baseUrl + path);
				await hydrated(page);
				await expectInert(page);
			}
			await page.getByRole('button', { name: /^Sign in with/ }).click();
			await page.waitForURL(/\/oauth2\/auth/);
			await expectInert(page);
			await page.getByRole('button').filter({ hasText: 'astrid' }).click();
			await expect(page.locator('button[value=approve]')).toBeVisible();
			await expectInert(page);
			await page.locator('button[value=approve]').click();
			await page.waitForURL(/\/viewer$/);
			await hydrated(page);
			await expectInert(page);
		}
		expect(seen).toEqual([]);
	});
}
