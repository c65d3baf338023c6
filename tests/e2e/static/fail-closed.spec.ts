import type { Page } from '@playwright/test';
import { hydrated } from '../demo-clients.ts';
import {
	authorizationUrl,
	authorize,
	call,
	exchange,
	expect,
	openServed,
	refresh,
	sendSecret,
	stopWorker,
	sharedTest,
	test,
	whenServed,
	type Site
} from './fixtures.ts';

const insecureHost = 'insecure.test';

test.use({
	launchOptions: [
		async ({ launchOptions }, use) =>
			use({
				...launchOptions,
				args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${insecureHost} localhost`]
			}),
		{ scope: 'worker' }
	]
});

test('BR-02 blocks every request of an uncontrolled page, then reloads it', async ({ page, site }) => {
	let release = (): void => {};
	const late = new Promise<void>((resolve) => (release = resolve));
	site.change('/service-worker.js', async (body) => {
		await late;
		return body;
	});
	await page.goto(site.url);
	expect(await sendSecret(page, site)).toBe('TypeError');
	await sendByAllMeans(page, site);
	expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
	release();
	await whenServed(page, site);
	expect(site.leaks()).toEqual([]);
});

test('BR-02 a hard reload, and a worker that is unregistered, send no request and no form to the network', async ({
	served,
	site,
	context
}) => {
	const session = await context.newCDPSession(served);
	await served.evaluate(() => Object.assign(globalThis, { isBeforeReload: true }));
	await session.send('Page.reload', { ignoreCache: true });
	// The reloaded page is not controlled, and reloads itself.
	await served.waitForFunction(() => !('isBeforeReload' in globalThis) && navigator.serviceWorker.controller !== null);
	await whenServed(served, site);

	await served.goto(authorizationUrl(site));
	await served.getByLabel('Username').fill('player-one');
	await served.getByLabel('Password').fill('wrong-password');
	await served.locator('form:has([type=password]) button').first().click();
	await expect(served.getByText('Incorrect username or password.')).toBeVisible();
	await session.send('Page.reload', { ignoreCache: true });
	const app = await context.newPage(); // the first page is still reloading
	await openServed(app, site);

	// A worker that was unregistered controls the page that is open, but no request for another one.
	await app.goto(authorizationUrl(site));
	await app.getByLabel('Username').fill('player-one');
	await app.getByLabel('Password').fill('my-password');
	await app.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.unregister());
	await app.locator('form:has([type=password]) button').first().click();
	await expect(app.getByLabel('Password')).toHaveValue('');
	await app.getByRole('button', { name: 'player-one' }).click();
	await expect(app.locator('button[value=approve]')).toBeVisible();
	expect(site.leaks().filter((line) => !line.startsWith('GET'))).toEqual([]);
});

sharedTest('BR-02 PS-04 nothing is lost when the browser stops the worker', async ({ served, site }) => {
	const code = await authorize(served, site);
	await stopWorker(served);
	const { status, body: tokens } = await exchange(served, site, code);
	expect(status).toBe(200);
	await stopWorker(served);
	expect((await refresh(served, site, tokens.refresh_token)).status).toBe(200);
	const { text: before } = await call(served, '/control/traffic');
	await stopWorker(served);
	expect((await call(served, '/control/traffic')).text).toBe(before);
	expect((await exchange(served, site, code)).status, 'a used code stays used').toBe(400);
	await stopWorker(served);
	expect((await refresh(served, site, tokens.refresh_token)).status, 'and its tokens stay revoked').toBe(400);
	await served.goto(`${site.url}account`);
	await expect(served.getByText('player-one').first()).toBeVisible();
	expect(site.leaks()).toEqual([]);
});

test('BR-07 a blacklisted client gets a network error', { tag: '@nightly' }, async ({ served, site }) => {
	const settings = { method: 'PATCH', body: '{"limits":{"character":0,"blacklist_after_refused":1}}' };
	expect(await call(served, '/control/settings', settings)).toMatchObject({ status: 200 });
	expect((await call(served, '/ws/v2.0/character/x')).status).toBe(400);
	await expect(call(served, '/ws/v2.0/character/x')).rejects.toThrow('TypeError');
	await expect(served.goto(authorizationUrl(site))).rejects.toThrow('net::ERR_FAILED');
	expect(site.leaks()).toEqual([]);
});

test('BR-06 without HTTPS, pages say what is missing and send nothing', async ({ page, site }) => {
	const insecure = { ...site, url: site.url.replace('localhost', insecureHost) };
	await page.goto(insecure.url);
	await expect(page.getByText('The service needs a secure page: HTTPS or localhost.')).toBeVisible();
	expect(await sendSecret(page, site)).toBe('TypeError');
	await sendByAllMeans(page, site);
	expect(site.leaks()).toEqual([]);
	const account = await page.context().newPage(); // the first page may still navigate, to what was blocked
	await account.goto(`${insecure.url}account`);
	await expect(account.getByRole('heading', { name: 'The service cannot run here' })).toBeVisible();
});

test('BR-03 responds to no page of a server that replaced the static build', async ({ page, site }) => {
	await openServed(page, site);
	const app = await page.context().newPage();
	await openServed(app, site);
	// A page that is still loading shows the app until its next navigation.
	for (const tab of [page, app]) await hydrated(tab);
	const serverPage = () => '<!doctype html><title>Server</title><h1>A page of the server</h1>';
	site.change('/service-worker.js', () => undefined);
	for (const path of ['/index.html', '/404.html']) site.change(path, serverPage);
	await page.goto(authorizationUrl(site));
	for (const tab of [page, app]) await expect(tab.getByRole('heading', { name: 'A page of the server' })).toBeVisible();
	const remaining = () =>
		app.evaluate(async () => ({
			controller: navigator.serviceWorker.controller,
			registrations: (await navigator.serviceWorker.getRegistrations()).length,
			caches: await caches.keys()
		}));
	await expect.poll(remaining).toEqual({ controller: null, registrations: 0, caches: [] });
});

sharedTest('BR-03 hides no other page of the origin', async ({ served, site }) => {
	site.change('/blog/index.html', () => '<!doctype html><h1>Another page</h1>');
	await served.goto(`${site.url}blog/`);
	await expect(served.getByRole('heading', { name: 'Another page' })).toBeVisible();
});

/** Tries every way to send a secret from a page. */
async function sendByAllMeans(page: Page, { base }: Site): Promise<void> {
	await page.evaluate(async (base) => {
		const token = `${base}/ws/oauth2/token/`;
		const request = new XMLHttpRequest();
		request.open('POST', token);
		const ended = new Promise((resolve) => request.addEventListener('loadend', resolve));
		request.send('client_secret=secret');
		await ended;
		navigator.sendBeacon(token, 'client_secret=secret');
		new EventSource(`${base}/control/traffic/stream`);
		document.body.insertAdjacentHTML(
			'beforeend',
			`<form method="post" action="${token}"><input name="client_secret" value="secret"></form>`
		);
		const form = [...document.forms].at(-1);
		form?.submit();
		form?.requestSubmit();
	}, base);
	// Requests that were sent would arrive before this one.
	await page.request.get(page.url().replace(insecureHost, 'localhost'));
}
