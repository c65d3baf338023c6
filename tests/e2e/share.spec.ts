import { type Page } from '@playwright/test';
import { hydrated, openViewer, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

/** Creates the link, and opens it as a visitor. */
async function open(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Create link' }).click();
	const link = page.getByRole('status').getByText(/\/preset\?share=/);
	const url = (await link.innerText()).trim();
	await page.goto('/');
	await page.goto(url);
	await page.waitForURL(/\/~/);
	await hydrated(page);
}

test('visitors of a link find the request builder with its mistake', async ({ page }) => {
	await page.goto('/share?from=/request');
	await page.getByLabel('Mistake').selectOption({ label: 'Code exchange: Code used twice' });
	await expectUsable(page, 'main');
	await open(page);
	await expect(page).toHaveURL(/\/~[^/]+\/request\?kind=exchange&mistake=code_twice$/);
	await expect(page.getByRole('button', { name: 'Code used twice', pressed: true })).toBeVisible();
	await expect(page.getByText('The service rejects this')).toBeVisible();
});

test('visitors of a link see a recorded flow, in a sandbox of their own', async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one');
	await page.goto('/share?from=/inspector');
	const flow = page.getByLabel('Recorded flow');
	await expect(flow.getByRole('option')).toHaveCount(2);
	await flow.selectOption({ index: 1 });
	await expectUsable(page, 'main');
	await open(page);
	await expect(page).toHaveURL(/\/~[^/]+\/moment#/);
	await expect(page.getByRole('heading', { level: 1, name: 'Flow: Signed in' })).toBeVisible();
	await expect(page.getByRole('heading', { name: 'What the client sent' })).toBeVisible();
	await page.goto('/share');
	await expect(page.getByRole('term').filter({ hasText: /^\/moment$/ })).toBeVisible();
});
