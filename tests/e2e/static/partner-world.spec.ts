import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isServicePath } from '#api/service-path.ts';
import { packWorldFile } from '#hosts/world-file.server.ts';
import { writeStatic } from '#tooling/write-static.js';
import { hydrated } from '../demo-clients.ts';
import { appPaths, docPaths, filePaths, foreignFile, foreignWords, shownPaths, shownTexts } from '../foreign-words.ts';
import { partnerWorld, walkPartnerWorld } from '../partner-world.ts';
import { expect, failedResources, keptForOffline, openServed, openSite, test } from './fixtures.ts';

test.describe('below a base path', () => {
	test.use({ base: '/demo' });

	test('a user signs in to the world of the site’s world.json', async ({ page, site }) => {
		site.change('/world.json', () => partnerWorld());
		const violations: string[] = [];
		page.on('console', (message) => {
			if (message.text().includes('Content Security Policy')) violations.push(message.text());
		});
		await page.goto(site.url);
		await expect(page.getByText('Running in your browser')).toBeVisible();
		await walkPartnerWorld(page, site.base);
		expect(site.leaks()).toEqual([]);
		expect(violations).toEqual([]);
	});

	test('the documentation has the brand of the site’s world.json, also without the service worker', async ({
		page,
		site
	}) => {
		site.change('/world.json', () => partnerWorld());
		site.change('/service-worker.js', () => undefined);
		await page.goto(`${site.url}docs/`);
		await expect(page).toHaveTitle('Documentation · Harbor Lane docs');
	});
});

test('a mistake in world.json is shown, and the demo world is used', async ({ page, site }) => {
	site.change('/world.json', () => partnerWorld().replace('"#0b5f73"', '"#abcdef"'));
	await openServed(page, site);
	await expect(page.getByRole('alert')).toContainText('brand.accent.light: its contrast on the light page is');
	await expect(page).toHaveTitle(/^Tollgate: /);
});

/** The paths of all pages without parameters, below the base. */
const pages = readdirSync('src/routes', { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('+page.svelte'))
	.map((file) => `/${dirname(file).replaceAll('\\', '/')}`)
	.filter((path) => !/^\/\.$|\[/.test(path));

test('a site that was written for a world has no word of the demo world, and all its pages open offline', async ({
	page
}) => {
	const folder = mkdtempSync(join(tmpdir(), 'site-'));
	cpSync('build/static-template', folder, { recursive: true });
	writeStatic(folder, '/demo', packWorldFile(foreignFile));
	const site = await openSite('/demo', folder);
	const urlOf = (path: string) => site.url + path.slice(1);
	const texts: Record<string, string> = {};
	for (const path of [...appPaths, ...docPaths, ...filePaths]) texts[path] = await (await fetch(urlOf(path))).text();
	expect(foreignWords(texts)).toEqual({});
	for (const path of ['/', '/viewer', '/docs/', '/docs/api/']) expect(texts[path]).toContain('<title>Nordbank</title>');
	for (const path of filePaths) expect(texts[path], path).toContain('Nordbank');
	await page.goto(site.url);
	await expect(page.getByText('Running in your browser')).toBeVisible();
	await expect(page.getByRole('heading', { name: 'Build on accounts that your customers already have' })).toBeVisible();
	expect(await page.locator('head').innerHTML()).not.toMatch(/Tollgate|favicon\.svg/);

	// The pages come from the service worker.
	await keptForOffline(page, site);
	await site.close();
	const failed: string[] = [];
	const collectFailed = async () => {
		const isFile = (url: string) => !isServicePath(new URL(url).pathname.slice(site.base.length));
		failed.push(...(await failedResources(page)).filter(isFile));
	};
	const open = async (path: string) => {
		await collectFailed();
		await page.goto(urlOf(path));
	};
	const shown = [...shownPaths, '/docs/', '/docs/your-client/'];
	expect(foreignWords(await shownTexts(page, shown, open))).toEqual({});
	for (const path of pages.filter((one) => !shown.includes(one))) {
		await open(path);
		await hydrated(page);
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
	}
	await collectFailed();
	expect(failed).toEqual([]);
	rmSync(folder, { recursive: true });
});
