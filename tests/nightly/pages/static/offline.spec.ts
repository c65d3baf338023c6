import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isServicePath } from '#api/service-path.ts';
import { packWorldFile } from '#hosts/world-file.server.ts';
import { writeStatic } from '#tooling/write-static.js';
import { hydrated } from '../../../e2e/demo-clients.ts';
import { expect, failedResources, keptForOffline, openSite, test } from '../../../e2e/static/fixtures.ts';
import { foreignFile, foreignWords, shownPaths } from '../../../hosts/kit/foreign-words.ts';
import { shownTexts } from '../shown-texts.ts';

/** The paths of all pages without parameters, below the base. */
const pages = readdirSync('src/routes', { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('+page.svelte'))
	.map((file) => `/${dirname(file).replaceAll('\\', '/')}`)
	.filter((path) => !/^\/\.$|\[/.test(path));

test('all pages of a site that was written for a world open offline, without a word of the demo world', async ({
	page
}) => {
	const folder = mkdtempSync(join(tmpdir(), 'site-'));
	cpSync('build/static-template', folder, { recursive: true });
	writeStatic(folder, '/demo', packWorldFile(foreignFile));
	const site = await openSite('/demo', folder);
	const urlOf = (path: string) => site.url + path.slice(1);
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
