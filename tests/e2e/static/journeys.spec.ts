import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { openViewer, showCharacter, signIn } from '../demo-clients.ts';
import {
	anotherTab,
	authorizationUrl,
	codeOf,
	control,
	expect,
	openServed,
	test,
	tokensOf,
	whenServed
} from './fixtures.ts';

for (const base of ['', '/demo'] as const) {
	test.describe(base === '' ? 'at the root' : `below ${base}`, () => {
		test.use({ base });

		test('a person signs in, consents, and comes back to the viewer, which reads with the token', async ({
			served,
			site
		}) => {
			await openViewer(served, site.base);
			await signIn(served, 'player-one');
			await showCharacter(served, 'Mara Vell');
			await expect(served.getByText('Lantern Quay').or(served.getByText('The Long Road')).first()).toBeVisible();
			expect(site.leaks()).toEqual([]);
		});

		test('deep link, reload, back and forward', async ({ page, site }) => {
			const deep = authorizationUrl(site, { state: 's1' });
			await page.goto(deep);
			await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
			await expect(page).toHaveURL(deep);
			await page.reload();
			await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
			await page.getByRole('button', { name: 'player-two' }).click();
			await expect(page.getByRole('heading', { name: /asks for access/ })).toBeVisible();
			await page.reload();
			await expect(page.getByRole('heading', { name: /asks for access/ })).toBeVisible();
			await page.goBack();
			await expect(page).toHaveURL(deep);
			await page.goForward();
			await expect(page.getByRole('heading', { name: /asks for access/ })).toBeVisible();
			await page.goto(`${site.url}account`);
			await expect(page.getByText('player-two').first()).toBeVisible();
			await page.goto(`${site.url}account/`);
			await expect(page.getByText('player-two').first()).toBeVisible();
			await page.getByRole('link', { name: 'Tollgate' }).click();
			await expect(page).toHaveURL(site.url);
			await page.goBack();
			await expect(page.getByText('player-two').first()).toBeVisible();
		});

		test('the out-of-band page carries the code in its title, and the page of a refusal the error', async ({
			served,
			site
		}) => {
			expect(await codeOf(served, site)).toMatch(/^[\w-]{22,}$/);
			const installed = { client_id: 'pocket-companion', redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' };
			await served.goto(authorizationUrl(site, installed));
			await served.locator('button[value=deny]').click();
			await expect(served).toHaveTitle('Denied,error=access_denied');
		});

		test('a sandbox of its own has its pages and its service', async ({ served, site }) => {
			const made: unknown = await control(served, site.base, 'POST', 'sandboxes');
			const base_url = String(Reflect.get(Object(made), 'base_url'));
			expect(base_url).toMatch(new RegExp(`^${site.url}~[\\w-]{20}$`));
			await served.goto(`${base_url}/account`);
			await expect(served.getByText('Sign in to see which')).toBeVisible();
			await served.goto(`${base_url}/viewer`);
			await expect(served.getByRole('heading', { level: 1 })).toBeVisible();
		});

		test('whatever stands below a sandbox that does not exist says so, and where to go', async ({ page, site }) => {
			for (const path of ['viewer', 'account', '']) {
				await page.goto(`${site.url}~no-such-sandbox/${path}`);
				await expect(page.getByRole('heading', { name: 'There is no such sandbox' })).toBeVisible();
			}
			await page.getByRole('link', { name: 'Open the Character Viewer' }).click();
			await expect(page).toHaveURL(`${site.url}viewer`);
			await expect(page.getByRole('heading', { name: 'Character Viewer' })).toBeVisible();
		});

		test('refreshed, limited, aged by the clock, and seen in the traffic', async ({ served, site }) => {
			const { access_token, refresh_token } = await tokensOf(served, site);
			await control(served, base, 'PATCH', 'settings', { limits: { character: 2 } });
			const read = () =>
				served.evaluate(
					async ({ base, access_token }) => {
						const headers = { Authorization: `OAuth ${access_token}` };
						return (await fetch(`${base}/ws/v2.0/character/Mara%20Vell`, { headers })).status;
					},
					{ base, access_token }
				);
			expect([await read(), await read(), await read()]).toEqual([200, 200, 400]);
			await control(served, base, 'POST', 'clock', { advance: 3600 });
			expect(await read()).toBe(200);
			await control(served, base, 'POST', 'clock', { advance: 3600 });
			expect(await read()).toBe(401);
			const status = await served.evaluate(
				async ({ base, refresh_token }) => {
					const client = { client_id: 'pocket-companion', client_secret: 'companion-secret' };
					const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...client });
					return (await fetch(`${base}/ws/oauth2/token/`, { method: 'POST', body })).status;
				},
				{ base, refresh_token }
			);
			expect(status).toBe(200);
			const text = JSON.stringify(await control(served, base, 'GET', 'traffic'));
			expect(text).toContain('"endpoint":"token"');
			expect(text).not.toContain(refresh_token);
			expect(site.leaks()).toEqual([]);
		});

		test('blacklisted, a person reads at /ratelimiting how they stand, and goes on to the ticket', async ({
			served,
			site
		}) => {
			await control(served, base, 'PATCH', 'settings', { limits: { character: 0, blacklist_after_refused: 2 } });
			await served.evaluate(async (base) => {
				for (let call = 0; call < 2; call += 1) await fetch(`${base}/ws/v2.0/character/Mara%20Vell`);
			}, base);
			await served.goto(`${site.url}ratelimiting`);
			await expect(served.getByRole('heading', { name: 'How your address stands' })).toBeVisible();
			await expect(served.getByText('has been blacklisted since')).toBeVisible();
			await expect(served.getByText('"state": "blacklisted"')).toBeVisible();
			await served.getByRole('link', { name: 'File a support ticket' }).click();
			await expect(served).toHaveURL(`${site.url}support`);
			await expect(served.getByLabel('Why the blacklisting was wrong')).toBeVisible();
			expect(site.leaks()).toEqual([]);
		});

		test('without network, after one visit: every page, and the service', async ({ served, site }) => {
			await site.close();
			await served.reload();
			await expect(served.getByRole('heading', { level: 1 })).toBeVisible();
			await served.goto(`${site.url}viewer`);
			await expect(served.getByRole('heading', { level: 1 })).toBeVisible();
			await served.goto(`${site.url}applications`);
			await expect(served.getByRole('heading', { level: 1 })).toBeVisible();
			expect(await codeOf(served, site)).not.toBe('');
			const missing = await served.evaluate(() =>
				performance.getEntriesByType('resource').flatMap((entry) => {
					const status: unknown = Reflect.get(entry, 'responseStatus');
					return status === 200 || status === 0 ? [] : [entry.name];
				})
			);
			expect(missing).toEqual([]);
		});
	});
}

test('the path without its slash finds the application', async ({ browser, folders }) => {
	const { serveStatic } = await import('../../run/static-server.js');
	const server = await serveStatic(folders['/demo'], '/demo');
	const page = await browser.newPage();
	await page.goto(`${server.origin}/demo`);
	await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
	await page.close();
	await server.close();
});

test.describe('where styles come late', () => {
	test.use({ serviceWorkers: 'block' });

	test('a page of the service is not seen without them', async ({ page, site }) => {
		let release = (): void => {};
		const late = new Promise<void>((resolve) => (release = resolve));
		site.change('/service.css', async (body) => {
			await late;
			return body;
		});
		await page.goto(`${site.url}account`);
		const heading = page.getByRole('heading', { name: 'Account settings', includeHidden: true });
		await expect(heading).toBeAttached();
		await expect(heading).toBeHidden();
		release();
		await expect(heading).toBeVisible();
		await expect(page.getByLabel('User name')).toBeFocused();
	});
});

test('closing and opening the browser loses nothing', async ({ site, launchOptions }) => {
	const folder = await mkdtemp(join(tmpdir(), 'tollgate-profile-'));
	try {
		const first = await chromium.launchPersistentContext(folder, launchOptions);
		const page = await openServed(await first.newPage(), site);
		const { access_token } = await tokensOf(page, site);
		await control(page, '', 'POST', 'clock', { advance: 60 });
		await first.close();
		const second = await chromium.launchPersistentContext(folder, launchOptions);
		const again = await openServed(await second.newPage(), site);
		expect(await control(again, '', 'GET', 'clock')).toMatchObject({ offset: 60_000 });
		const status = await again.evaluate(async (access_token) => {
			const headers = { Authorization: `OAuth ${access_token}` };
			return (await fetch('/ws/v2.0/character/Mara%20Vell', { headers })).status;
		}, access_token);
		expect(status).toBe(200);
		expect(JSON.stringify(await control(again, '', 'GET', 'traffic'))).toContain('"endpoint":"token"');
		await again.goto(`${site.url}account`);
		await expect(again.getByText('player-one').first()).toBeVisible();
		await second.close();
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

test('a new version announces itself, and takes over in all tabs when told to', async ({ served, site, context }) => {
	const second = await anotherTab(context, site);
	site.change('/service-worker.js', (body) => `${body}\n// another version`);
	await served.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
	await expect(served.getByText('A new version is ready.')).toBeVisible();
	await expect(second.getByText('A new version is ready.')).toBeVisible();
	const reloaded = [served, second].map((page) => page.waitForEvent('load'));
	await served.getByRole('button', { name: 'Load it in all tabs' }).click();
	await Promise.all(reloaded);
	for (const page of [served, second]) {
		await whenServed(page);
		await expect(page.getByText('A new version is ready.')).toBeHidden();
	}
	expect(site.leaks()).toEqual([]);
});

test('every page says where the service runs, and erases it', async ({ served, site, context }) => {
	const second = await anotherTab(context, site);
	await tokensOf(served, site);
	const where = served.getByRole('complementary', { name: 'Where the service runs' });
	for (const path of ['', 'viewer', 'account', 'applications', 'support']) {
		await served.goto(site.url + path);
		await expect(where).toContainText('The service runs in this browser.');
		await expect(where).toContainText(/[\d.]+ [kM]B stored/);
	}
	await second.goto(`${site.url}account`);
	await expect(second.getByText('player-one').first()).toBeVisible();
	const reloaded = second.waitForEvent('load');
	await where.getByRole('button', { name: 'Erase' }).click();
	await served.getByRole('button', { name: 'Erase everything' }).click();
	await reloaded;
	await expect(second.getByText('Sign in to see which')).toBeVisible();
	await whenServed(served);
	expect(JSON.stringify(await control(served, '', 'GET', 'traffic'))).not.toContain('"endpoint":"token"');
});

test('a first visit costs less than 350 kB, and less than 120 kB before the first paint', async ({
	page,
	site,
	context
}) => {
	// As over a network: fonts, which the first paint does not wait for, don't come within its frame.
	const session = await context.newCDPSession(page);
	const line = { offline: false, latency: 150, downloadThroughput: 500_000, uploadThroughput: 500_000 };
	await session.send('Network.emulateNetworkConditions', line);
	await openServed(page, site);
	const painted = await page.evaluate(() => {
		const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity;
		const entries = performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'));
		return entries
			.filter((entry) => entry.startTime + entry.duration <= paint)
			.reduce((sum, entry) => sum + Number(Reflect.get(entry, 'transferSize')), 0);
	});
	console.log(`first visit: ${site.transferred()} bytes, before the first paint: ${painted}`);
	expect(site.transferred()).toBeLessThan(350_000);
	expect(painted).toBeLessThan(120_000);
});
