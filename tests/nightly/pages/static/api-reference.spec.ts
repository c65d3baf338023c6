import { control, expect, openServed, sharedTest as test } from '../../../e2e/static/fixtures.ts';

test('“Try it” sends a request to the service in this browser, in a sandbox too', async ({ served, site }) => {
	const created = await control(served, site, 'POST', 'sandboxes');
	const sandbox = String(Reflect.get(Object(created), 'base_url'));
	await openServed(served, site, `${sandbox.slice(site.url.length)}/docs/api/#readClock`);
	const operation = served.locator('#readClock');
	await operation.getByRole('button', { name: 'Try it' }).click();
	await operation.getByRole('button', { name: 'Send request' }).click();
	await expect(operation.getByText(/^200$/)).toBeVisible();
	await expect(operation.getByRole('group', { name: 'Body' })).toContainText('"offset"');
	const statuses = await served.evaluate(
		(urls) => Promise.all(urls.map(async (url) => (await fetch(url)).status)),
		[`${site.url}openapi.json`, `${sandbox}/openapi.json`, `${sandbox}x/openapi.json`]
	);
	expect(statuses).toEqual([200, 200, 404]);
	expect(site.leaks()).toEqual([]);
});
