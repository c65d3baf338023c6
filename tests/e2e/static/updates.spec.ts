import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeNewVersion } from '../../run/new-version.js';
import { expect, keptForOffline, openServed, test as base, type Site } from './fixtures.ts';

const test = base.extend<object, { next: Record<Site['base'], string> }>({
	next: [
		async ({ folders }, use) => {
			const parent = mkdtempSync(join(tmpdir(), 'tollgate-next-'));
			const next = { '': join(parent, 'root'), '/demo': join(parent, 'demo') };
			writeNewVersion(folders[''], next['']);
			writeNewVersion(folders['/demo'], next['/demo']);
			await use(next);
			rmSync(parent, { recursive: true });
		},
		{ scope: 'worker' }
	]
});

for (const path of ['', '/demo'] as const) {
	test.describe(`at ${path}/`, () => {
		test.use({ base: path });

		const tag = path === '' ? '@nightly' : [];
		test(
			'a visit that ended before all files were kept continues with the version that was deployed since',
			{ tag },
			async ({ served, site, next, context }) => {
				const left = await context.newPage();
				await openServed(left, site, 'learn');
				await served.close();
				site.deploy(next[path]);
				// Its files are gone: the link opens a page of the new version, in the tab and in another one.
				await left.getByRole('link', { name: 'Inspector' }).first().click();
				await expect(left.getByRole('heading', { level: 1, name: 'Inspector' })).toBeVisible();
				const page = await openServed(await context.newPage(), site, 'learn');
				await expect(page.getByRole('heading', { level: 1, name: 'Learn' })).toBeVisible();
				await expect(page.locator('link[rel=modulepreload]').first()).toHaveAttribute('href', /\/_app\/next\//);
				await keptForOffline(page, site);
				await expect(page.getByText('A new version was installed.')).toBeHidden();
			}
		);
	});
}

test('a tab of an earlier version opens what it keeps, and says what needs the new version', async ({
	served,
	site,
	next
}) => {
	await keptForOffline(served, site);
	site.deploy(next['']);
	// SvelteKit opens a URL again if its page has failed and the server has another version.
	let opened = 0;
	served.on('framenavigated', () => opened++);
	await served.goto(`${site.url}nothing-here`);
	await expect(served.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
	await served.goto(`${site.url}studio`);
	await expect(served.getByRole('heading', { level: 1, name: 'This page needs the new version' })).toBeVisible();
	await served.goto(`${site.url}docs/deployment/`);
	await expect(served.getByRole('heading', { level: 1, name: 'This page needs the new version' })).toBeVisible();
	expect(opened).toBeLessThan(10);
	await served.getByRole('main').getByRole('button', { name: 'Update all tabs' }).click();
	await expect(served.getByRole('heading', { level: 1, name: 'Deployment' })).toBeVisible();
	expect(site.leaks()).toEqual([]);
});

test(
	'with a full storage the service runs without the files for use offline, and the page says so',
	{ tag: '@nightly' },
	async ({ page, site, context }) => {
		const session = await context.newCDPSession(page);
		await session.send('Storage.overrideQuotaForOrigin', { origin: site.origin, quotaSize: 1 });
		await openServed(page, site);
		await expect(page.getByText("The browser's storage is full.")).toBeVisible();
		await expect(page.getByText('Free some disk space, then reload the page.')).toBeVisible();
	}
);

test('offline, what is not kept says so', { tag: '@nightly' }, async ({ served, site }) => {
	const thrown: string[] = [];
	served.on('pageerror', ({ message }) => thrown.push(message));
	await keptForOffline(served, site);
	await site.close();
	for (const path of ['studio', 'docs/deployment/', 'openapi.json', 'world.schema.json', 'blog/']) {
		await served.goto(site.url + path);
		await expect(served.getByRole('heading', { level: 1, name: 'Not kept for offline use' }), path).toBeVisible();
	}
	expect(thrown).toEqual([]);
});

test('BR-02 no request reaches the network after the browser has deleted the worker of open tabs', async ({
	served,
	site,
	context
}) => {
	const other = await openServed(await context.newPage(), site, 'inspector');
	await served.evaluate(() => {
		const send = () => void fetch('/ws/oauth2/token/', { method: 'POST', body: 'client_secret=secret' }).catch(() => 0);
		setInterval(send, 5);
	});
	const session = await context.newCDPSession(served);
	const reloaded = [served, other].map((page) => page.waitForEvent('load'));
	await session.send('Storage.clearDataForOrigin', { origin: site.origin, storageTypes: 'all' });
	await Promise.all(reloaded);
	for (const page of [served, other]) await expect(page.getByText('Running in your browser')).toBeVisible();
	expect(site.leaks()).toEqual([]);
});

test.describe('below a base path', () => {
	test.use({ base: '/demo' });

	test('BR-03 leaves requests above its path to the network', async ({ served }) => {
		const statuses = await served.evaluate(() => {
			const paths = ['/control/settings', '/ws/v2.0/ratelimits', '/demo/control/status'];
			return Promise.all(paths.map(async (path) => (await fetch(path)).status));
		});
		expect(statuses).toEqual([404, 404, 200]);
	});
});
