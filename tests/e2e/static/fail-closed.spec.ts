import {
	anotherTab,
	authorizationUrl,
	codeOf,
	control,
	expect,
	sendSecret,
	test,
	tokensOf,
	whenServed
} from './fixtures.ts';

const unknownToken = 400;

test('BR-01 a visit to the authorization endpoint is handled by the application, and asks nobody', async ({
	served,
	site
}) => {
	await served.goto(authorizationUrl(site, { state: 'state-secret' }));
	await expect(served.getByRole('heading', { name: 'Sign in' })).toBeVisible();
	expect(site.leaks()).toEqual([]);
});

test('BR-02 a request goes through the worker, and never over the network', async ({ served, site }) => {
	const answer = served.waitForResponse(/\/ws\/oauth2\/token\//);
	expect(await sendSecret(served, site.base)).toBe(unknownToken);
	expect((await answer).fromServiceWorker()).toBe(true);
	expect(site.leaks()).toEqual([]);
});

test('BR-02 after the browser stopped the worker, again and again', async ({ served, site, context }) => {
	const session = await context.newCDPSession(served);
	await session.send('ServiceWorker.enable');
	for (let time = 0; time < 3; time++) {
		await session.send('ServiceWorker.stopAllWorkers');
		expect(await sendSecret(served, site.base)).toBe(unknownToken);
	}
	expect(site.leaks()).toEqual([]);
});

test('BR-02 before the worker has started: it comes late', async ({ page, site }) => {
	let release = (): void => {};
	const late = new Promise<void>((resolve) => (release = resolve));
	site.change('/service-worker.js', async (body) => {
		await late;
		return body;
	});
	await page.goto(site.url);
	expect(await sendSecret(page, site.base)).toBe(unknownToken);
	expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
	const refused = await page.evaluate((base) => {
		const request = new XMLHttpRequest();
		try {
			request.open('POST', `${base}/ws/oauth2/token/`);
			return 'opened';
		} catch (fault) {
			return fault instanceof DOMException ? fault.name : 'thrown';
		}
	}, site.base);
	expect(refused).toBe('NetworkError');
	expect(await page.evaluate((base) => navigator.sendBeacon(`${base}/account`, 'secret'), site.base)).toBe(false);
	release();
	await whenServed(page);
	expect(site.leaks()).toEqual([]);
});

test('BR-02 the moment a page begins, while it has not started anything: the worker holds the request', async ({
	served,
	site,
	context
}) => {
	expect(await sendSecret(served, site.base)).toBe(unknownToken);
	const page = await context.newPage();
	await page.addInitScript((base) => {
		const sent = fetch(`${base}/ws/oauth2/token/`, {
			method: 'POST',
			body: new URLSearchParams({ client_secret: 'x' })
		});
		Reflect.set(
			window,
			'early',
			sent.then((response) => response.status)
		);
	}, site.base);
	await page.goto(site.url);
	expect(await page.evaluate<unknown>('window.early')).toBe(400);
	expect(site.leaks()).toEqual([]);
});

test('BR-02 from a second tab, and from the first after it', async ({ served, site, context }) => {
	const second = await anotherTab(context, site);
	expect(await sendSecret(second, site.base)).toBe(unknownToken);
	await second.close();
	expect(await sendSecret(served, site.base)).toBe(unknownToken);
	expect(site.leaks()).toEqual([]);
});

test('BR-02 from a frame that never starts the service: refused with 503', async ({ served, site }) => {
	const status = await served.evaluate(async (base) => {
		const frame = document.createElement('iframe');
		frame.srcdoc = '<!doctype html>';
		const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
		document.body.append(frame);
		await loaded;
		const body = new URLSearchParams({ client_secret: 'secret' });
		const answer = await frame.contentWindow?.fetch(`${location.origin}${base}/ws/oauth2/token/`, {
			method: 'POST',
			body
		});
		return answer?.status;
	}, site.base);
	expect(status).toBe(503);
	expect(site.leaks()).toEqual([]);
});

test('BR-02 after a hard reload', async ({ served, site, context }) => {
	const session = await context.newCDPSession(served);
	await session.send('Page.reload', { ignoreCache: true });
	await served.waitForLoadState();
	await expect.poll(() => sendSecret(served, site.base).catch(() => 'gone')).toBe(unknownToken);
	await whenServed(served);
	expect(await sendSecret(served, site.base)).toBe(unknownToken);
	expect(site.leaks()).toEqual([]);
});

test('BR-02 after a mailto: link or a download, which only seem to leave the page', async ({
	served,
	site,
	context
}) => {
	await served.evaluate(() => window.dispatchEvent(new Event('beforeunload')));
	expect(await sendSecret(served, site.base)).toBe(unknownToken);
	const second = await anotherTab(context, site);
	expect(await sendSecret(second, site.base)).toBe(unknownToken);
	expect(site.leaks()).toEqual([]);
});

test('BR-02 a form that a script does not take up is not sent', async ({ served, site }) => {
	const [request] = await Promise.all([
		served.waitForResponse(/\/account/),
		served.evaluate((base) => {
			const form = document.createElement('form');
			form.method = 'post';
			form.action = `${base}/account`;
			form.innerHTML = '<input name="password" value="secret">';
			document.body.append(form);
			form.submit();
		}, site.base)
	]);
	await served.waitForURL(`${site.url}account`);
	expect(request.status()).toBe(503);
	expect(site.leaks()).toEqual([]);
});

test.describe('where no worker can be had', () => {
	test.use({ serviceWorkers: 'block' });

	test('a form is not sent, however it says where to', async ({ page, site }) => {
		await page.goto(site.url);
		await expect(page.getByText('without a worker')).toBeVisible();
		await page.evaluate((base) => {
			const token = `${base}/ws/oauth2/token/`;
			const form = (markup: string) => {
				document.body.insertAdjacentHTML('beforeend', `<form method="post">${markup}</form>`);
				return [...document.forms].at(-1);
			};
			const whole = form('<input name="client_secret" value="secret">');
			whole?.setAttribute('action', token);
			whole?.submit();
			whole?.requestSubmit();
			const button = form(`<input name="method" value="secret"><button formaction="${token}" formmethod="post">`);
			button?.requestSubmit(button.querySelector('button'));
		}, site.base);
		// What a form sends is under way before this is answered.
		expect(await page.evaluate(async () => (await fetch('/favicon.svg?after')).status)).toBe(200);
		expect(site.leaks()).toEqual([]);
	});

	test('the page answers its requests itself, and says so', async ({ page, site }) => {
		await page.goto(site.url);
		await expect(page.getByText('without a worker')).toBeVisible();
		expect(await sendSecret(page, site.base)).toBe(unknownToken);
		await expect(page.getByRole('complementary', { name: 'Where the service runs' })).toContainText(
			'no service worker'
		);
		expect(site.leaks()).toEqual([]);
	});
});

test('BR-04 two tabs redeem one code: one of them gets tokens', async ({ served, site, context }) => {
	const second = await anotherTab(context, site);
	const code = await codeOf(served, site);
	await whenServed(served);
	const redeem = (page: typeof served) =>
		page.evaluate(
			async ({ base, code }) => {
				const fields = {
					...{ grant_type: 'authorization_code', code, redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' },
					...{ client_id: 'pocket-companion', client_secret: 'companion-secret' }
				};
				const send = () => fetch(`${base}/ws/oauth2/token/`, { method: 'POST', body: new URLSearchParams(fields) });
				const all = await Promise.all(Array.from({ length: 5 }, send));
				return all.map((response) => response.status);
			},
			{ base: site.base, code }
		);
	const statuses = (await Promise.all([redeem(served), redeem(second)])).flat();
	expect(statuses.filter((status) => status === 200)).toHaveLength(1);
	expect(statuses).toHaveLength(10);
});

test('BR-04 two tabs call at once: every call counts once', async ({ served, site, context }) => {
	const { access_token } = await tokensOf(served, site);
	const second = await anotherTab(context, site);
	const call = (page: typeof served, times: number) =>
		page.evaluate(
			async ({ base, access_token, times }) => {
				const one = () =>
					fetch(`${base}/ws/v2.0/character/Mara%20Vell`, { headers: { Authorization: `OAuth ${access_token}` } });
				const all = await Promise.all(Array.from({ length: times }, one));
				return all.map((response) => Number(response.headers.get('x-ratelimit-remaining')));
			},
			{ base: site.base, access_token, times }
		);
	const left = (await Promise.all([call(served, 30), call(second, 30)])).flat();
	expect([...left].sort((one, other) => other - one)).toEqual(Array.from({ length: 60 }, (_, at) => 599 - at));
});

test('BR-06 a database of a newer version: the old page lets go, and says so', async ({ served, site }) => {
	await served.evaluate(
		(name) =>
			new Promise((resolve, reject) => {
				const request = indexedDB.open(name, 99);
				request.onsuccess = resolve;
				request.onerror = reject;
			}),
		`tollgate${site.base}`
	);
	await expect(served.getByText('A newer version has taken over.')).toBeVisible();
	await served.reload();
	await expect(served.getByText('A newer version of Tollgate has been here')).toBeVisible();
	await expect(served.getByText('It keeps nothing')).toBeVisible();
	expect(await sendSecret(served, site.base)).toBe(unknownToken);
	expect(site.leaks()).toEqual([]);
});

test('BR-06 where IndexedDB can’t be had, it works in memory, and says so', async ({ page, site }) => {
	await page.addInitScript(() => {
		Object.defineProperty(window, 'indexedDB', { get: () => undefined });
	});
	await page.goto(site.url);
	await expect(page.getByText('It keeps nothing')).toBeVisible();
	await page.goto(authorizationUrl(site));
	await page.getByRole('button', { name: 'player-one' }).click();
	await expect(page.getByRole('button', { name: 'Allow', exact: true })).toBeVisible();
	expect(site.leaks().filter((line) => !line.startsWith('GET'))).toEqual([]);
});

test('BR-06 a database that its owner deletes comes back, as a fresh demo world', async ({ served, site }) => {
	await control(served, site.base, 'POST', 'clock', { advance: 3600 });
	await served.evaluate(
		(name) =>
			new Promise((resolve, reject) => {
				const request = indexedDB.deleteDatabase(name);
				request.onsuccess = resolve;
				request.onerror = reject;
			}),
		`tollgate${site.base}`
	);
	expect(await control(served, site.base, 'GET', 'clock')).toMatchObject({ offset: 0 });
});

test('BR-07 a blacklisted client gets a network error, and not a promise that never settles', async ({
	served,
	site
}) => {
	await control(served, site.base, 'PATCH', 'settings', { limits: { character: 0, blacklist_after_refused: 1 } });
	const outcome = await served.evaluate(async (base) => {
		const call = () => fetch(`${base}/ws/v2.0/character/x`).then((answer) => answer.status);
		return [await call(), await call().catch((fault: unknown) => (fault instanceof TypeError ? 'TypeError' : 'other'))];
	}, site.base);
	expect(outcome).toEqual([400, 'TypeError']);
	await served.goto(authorizationUrl(site));
	await expect(served.getByText('closed the connection without an answer')).toBeVisible();
	expect(site.leaks()).toEqual([]);
});

test('BR-07 the sign-in page says that it is no place for a real password', async ({ served, site }) => {
	await served.goto(authorizationUrl(site));
	await expect(served.getByText('Use no real password')).toBeVisible();
});
