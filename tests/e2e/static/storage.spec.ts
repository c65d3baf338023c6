import { authorizationUrl, expect, sendSecret, test } from './fixtures.ts';

test('BR-06 a full disk takes no cookie: the page says what happened and what to do, and goes on when there is room', async ({
	served: page,
	site
}) => {
	await page.addInitScript(() => {
		const put = Reflect.get(IDBObjectStore.prototype, 'put');
		Reflect.set(IDBObjectStore.prototype, 'put', function (this: IDBObjectStore, ...words: unknown[]) {
			const isFull = this.name === 'cookies' && sessionStorage.getItem('full') === 'yes';
			if (isFull) throw new DOMException('The disk says no.', 'QuotaExceededError');
			const request: unknown = Reflect.apply(put, this, words);
			return request;
		});
	});
	await page.goto(authorizationUrl(site));
	await expect(page.getByRole('button', { name: 'player-one' })).toBeVisible();
	await page.evaluate(() => sessionStorage.setItem('full', 'yes'));
	await page.getByRole('button', { name: 'player-one' }).click();
	const told = page.getByRole('alert');
	await expect(told).toContainText('This browser could not store a cookie of the service');
	await expect(told).toContainText('no more room');
	await expect(told).toContainText('Free some space');
	await expect(told, 'the exception itself is a click away').not.toContainText('The disk says no.', {
		useInnerText: true
	});
	expect(await sendSecret(page, site.base), 'what needs no cookie goes on').toBe(400);

	await page.evaluate(() => sessionStorage.removeItem('full'));
	await page.getByRole('button', { name: 'Try again' }).click();
	await page.getByRole('button', { name: 'player-one' }).click();
	await expect(page.getByRole('heading', { name: /asks for access/ })).toBeVisible();
	expect(site.leaks()).toEqual([]);
});

test('a script that gets no cookie is told so with 503', async ({ served, site }) => {
	const answered = await served.evaluate(async (base) => {
		const put = Reflect.get(IDBObjectStore.prototype, 'put');
		Reflect.set(IDBObjectStore.prototype, 'put', function (this: IDBObjectStore, ...words: unknown[]) {
			if (this.name === 'cookies') throw new DOMException('It is broken.', 'UnknownError');
			const request: unknown = Reflect.apply(put, this, words);
			return request;
		});
		const response = await fetch(`${base}/control/sandboxes`, { method: 'POST' });
		const body: unknown = await response.json();
		return { status: response.status, body };
	}, site.base);
	expect(answered).toEqual({
		status: 503,
		body: {
			error: 'temporarily_unavailable',
			error_description: expect.stringMatching(/could not store a cookie of the service: .*Reload the page/)
		}
	});
});
