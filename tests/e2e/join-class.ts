import { expect, type Browser, type Page } from '@playwright/test';
import { hydrated } from './demo-clients.ts';

/** A student in a separate browser. */
export type Student = { readonly page: Page; readonly label: string; readonly baseUrl: string };

/** Joins a class with its code. */
export async function join(browser: Browser, origin: string, code: string): Promise<Student> {
	const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
	const page = await context.newPage();
	await page.goto(`${origin}/join`);
	await hydrated(page);
	await page.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`.toLowerCase());
	await page.getByRole('button', { name: 'Join', exact: true }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'Your service' })).toBeVisible();
	const label = (await page.getByRole('complementary', { name: 'Class' }).locator('strong').textContent()) ?? '';
	return { page, label, baseUrl: page.url().replace(/\/join$/, '') };
}

type Init = { method?: string; headers?: Record<string, string>; body?: string };

/** Sends a request from the browser of a student, and returns the status. */
export function send(page: Page, url: string, { headers = {}, ...init }: Init = {}): Promise<number> {
	const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
	const sent = { ...init, headers: { ...(init.body === undefined ? {} : form), ...headers } };
	return page.evaluate(async ([to, how]) => (await fetch(to, how)).status, [url, sent] as const);
}
