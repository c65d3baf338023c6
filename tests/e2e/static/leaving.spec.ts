import { createServer } from 'node:http';
import { expect, openServed, sendSecret, test, whenServed } from './fixtures.ts';

const unknownToken = 400;

// Playwright switches off what lets a page come back as it was left.
test.use({
	launchOptions: [
		async ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
		{ scope: 'worker' }
	]
});

test('BR-02 after a visit to another origin and back, the worker having been stopped meanwhile', async ({
	served,
	site,
	context
}) => {
	const other = createServer((_, response) => {
		response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><h1>Elsewhere</h1>');
	});
	await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
	const address = other.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	await served.evaluate(() => addEventListener('pageshow', ({ persisted }) => Reflect.set(window, 'back', persisted)));
	await served.goto(`http://127.0.0.1:${String(port)}/`);
	const session = await context.newCDPSession(served);
	await session.send('ServiceWorker.enable');
	await session.send('ServiceWorker.stopAllWorkers');
	await served.evaluate(() => setTimeout(() => history.back()));
	await served.waitForURL(site.url, { waitUntil: 'commit' });
	await served.waitForFunction(() => Reflect.get(window, 'back') === true);
	expect(await sendSecret(served, site.base)).toBe(unknownToken);
	expect(site.leaks()).toEqual([]);
	await new Promise((resolve) => other.close(resolve));
});

test('BR-03 the worker is registered for the path of its deployment, and for no other', async ({ page, site }) => {
	await openServed(page, site);
	const scopes = await page.evaluate(async () =>
		(await navigator.serviceWorker.getRegistrations()).map(({ scope, active }) => [scope, active?.scriptURL])
	);
	expect(scopes).toEqual([[site.url, `${site.url}service-worker.js`]]);
});

test('BR-03 where a server now stands, its pages are seen again: the worker leaves', async ({ served, site }) => {
	const serverPage = () => '<!doctype html><title>Server</title><h1>A page of the server</h1>';
	site.change('/service-worker.js', () => undefined);
	site.change('/index.html', serverPage);
	site.change('/404.html', serverPage);
	await served.goto(`${site.url}viewer`);
	await expect(served.getByRole('heading', { name: 'A page of the server' })).toBeVisible();
	const left = () =>
		served.evaluate(async () => ({
			controller: navigator.serviceWorker.controller,
			registrations: (await navigator.serviceWorker.getRegistrations()).length,
			caches: await caches.keys()
		}));
	expect(await left()).toEqual({ controller: null, registrations: 0, caches: [] });
	expect(site.leaks()).toEqual([]);
	expect(await sendSecret(served, site.base), 'the page is the server’s, and so are its requests').toBe(404);
	expect(site.leaks()).toHaveLength(1);
});

test('BR-03 without network the worker stays', async ({ served, site }) => {
	await site.close();
	await served.reload();
	await whenServed(served);
	expect(await served.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(1);
	expect(await sendSecret(served, site.base)).toBe(unknownToken);
});

test('BR-03 what else stands on the origin is not hidden: a page of somebody’s, another deployment', async ({
	served,
	site
}) => {
	site.change('/blog/index.html', () => '<!doctype html><h1>A page of somebody’s</h1>');
	await served.goto(`${site.url}blog/`);
	await expect(served.getByRole('heading', { name: 'A page of somebody’s' })).toBeVisible();
	await served.goto(`${site.url}nothing-here`);
	await expect(served.getByRole('heading', { name: 'No page here' })).toBeVisible();
	await site.close();
	await served.goto(`${site.url}nothing-there`);
	await expect(served.getByRole('heading', { name: 'No page here' })).toBeVisible();
});
