import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';

/** What only the build without a server has: MSW, its worker, the service's own texts. */
const traces = [
	'mockServiceWorker',
	'MOCK_ACTIVATE',
	'unhandledRequest',
	'simulator_not_ready',
	'Lantern Quay',
	'Unknown client'
];

test('a visitor of the server downloads neither MSW nor the service', async ({ page }) => {
	const coming: Promise<string>[] = [];
	page.on('response', (response) => {
		if (/javascript/.test(response.headers()['content-type'] ?? '')) coming.push(response.text());
	});
	const bodies: string[] = [];
	for (const path of ['/', '/viewer', '/account']) {
		await page.goto(path, { waitUntil: 'networkidle' });
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
		// Of a page that has been left nothing can be read any more.
		bodies.push(...(await Promise.all(coming.splice(0))));
	}
	expect(bodies.length).toBeGreaterThan(5);
	for (const trace of traces) expect(bodies.filter((text) => text.includes(trace))).toEqual([]);
	expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

test('nothing of them is among the files that it could download, and it has no worker', async ({ page }) => {
	const folder = join('build', 'kit', 'client');
	expect(existsSync(join(folder, 'service-worker.js'))).toBe(false);
	expect(existsSync(join(folder, 'mockServiceWorker.js'))).toBe(false);
	const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
	expect(scripts.length).toBeGreaterThan(10);
	for (const name of scripts) {
		const text = readFileSync(join(folder, name), 'utf8');
		for (const trace of traces) expect(text.includes(trace), `${name}: ${trace}`).toBe(false);
	}
	await page.goto('/');
	expect(await page.evaluate(async () => (await fetch('/service-worker.js')).status)).toBe(404);
	expect((await page.goto('/in-browser'))?.status()).toBe(404);
});
