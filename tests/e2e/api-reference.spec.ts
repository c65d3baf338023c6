import { hydrated, openViewer, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

test('the palette finds an operation, and “Try it” sends it to the sandbox of the page', async ({ page }) => {
	await page.goto('/docs/');
	await hydrated(page);
	await page.keyboard.press('Control+k');
	await expect(page.getByRole('combobox')).toBeFocused();
	await page.getByRole('combobox').fill('POST /control/clock');
	await page.getByRole('option', { name: 'POST /control/clock Control reference' }).click();
	const operation = page.locator('#moveClock');
	await operation.getByRole('button', { name: 'Try it' }).press('Enter');
	await expect(operation.getByLabel('X-Tollgate-Key')).toBeFocused();
	await page.keyboard.press('Tab');
	await page.keyboard.press('ControlOrMeta+a');
	await page.keyboard.type('{"advance": 0}');
	await page.keyboard.press('Tab');
	await page.keyboard.press('Enter');
	await expect(operation.getByText(/^200$/)).toBeVisible();
	await expect(operation.getByRole('group', { name: 'Body' })).toContainText('"offset"');
	await operation.getByLabel('Request body').fill('{"advance": -1}');
	await operation.getByRole('button', { name: 'Send request' }).click();
	await expect(operation.getByText(/^400$/)).toBeVisible();
	await expect(operation.getByRole('group', { name: 'Body' })).toContainText('invalid_request');
});

test('“Try it” takes the token of the viewer', { tag: '@nightly' }, async ({ page }) => {
	const operation = page.locator('#character');
	await page.goto('/docs/api/#character');
	await hydrated(page);
	await operation.getByRole('button', { name: 'Try it' }).click();
	await operation.getByRole('button', { name: 'Get a token' }).click();
	await expect(operation.getByText('No user is signed in.')).toBeVisible();
	await openViewer(page);
	await signIn(page, 'player-one');
	await page.goto('/docs/api/#character');
	await hydrated(page);
	await operation.getByRole('button', { name: 'Try it' }).click();
	await operation.getByRole('button', { name: 'Get a token' }).click();
	await expect(operation.getByLabel('Access token')).not.toHaveValue('');
	await operation.getByLabel('character_name').fill('Mara Vell');
	await operation.getByRole('button', { name: 'Send request' }).click();
	await expect(operation.getByText(/^200$/)).toBeVisible();
});

test('each sandbox has the OpenAPI document below its base URL', { tag: '@nightly' }, async ({ page, server }) => {
	const created = await server.control('POST', '/control/sandboxes');
	const base_url = String(Reflect.get(Object(created), 'base_url'));
	await page.goto('/docs/api/');
	const load = (url: string) =>
		page.evaluate(async (url) => {
			const response = await fetch(url);
			const document: unknown = response.ok ? await response.json() : undefined;
			return { status: response.status, document };
		}, url);
	const root = await load('/openapi.json');
	expect(root.document).toMatchObject({ openapi: '3.1.1', servers: [{ url: server.origin }] });
	const own = await load(`${base_url}/openapi.json`);
	expect(own.document).toMatchObject({ openapi: '3.1.1', servers: [{ url: base_url }] });
	expect((await load(`${base_url}x/openapi.json`)).status).toBe(404);
});
