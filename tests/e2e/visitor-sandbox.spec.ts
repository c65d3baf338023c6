import { hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { sandboxActions } from './sandbox-journey.ts';

test.use({ settings: { ADMIN_KEY: 'the-admin-key-of-the-test' } });

test('the front page gives each visitor of a public server one sandbox, with the demo accounts', async ({
	page,
	server
}) => {
	await page.goto('/');
	await hydrated(page);
	await page.getByRole('link', { name: 'Try the sign-in flow' }).click();
	await page.waitForURL(/\/~[\w-]{20}\/viewer/);
	const own = page.url();
	await expect(page.getByRole('button', { name: 'Sign in with Tollgate' })).toBeVisible();
	await page.goto('/');
	await hydrated(page);
	await page.getByRole('link', { name: 'Try the sign-in flow' }).click();
	await page.waitForURL(own);
	await page.goto(`${own.replace('/viewer', '')}/controls/sandboxes`);
	await expect(sandboxActions(page)).toBeVisible();
	await page.getByRole('button', { name: /^Sandbox:/ }).click();
	const menu = page.getByRole('group', { name: 'Sandbox' });
	await expect(menu.getByRole('link', { name: 'All sandboxes' })).toBeVisible();
	expect(await menu.evaluate((box) => box.scrollWidth - box.clientWidth), 'the names fit').toBe(0);
	await page.goto('/controls/sandboxes');
	await expect(sandboxActions(page)).toBeHidden();
	expect(await server.control('GET', '/control/sandboxes')).toMatchObject({ sandboxes: { length: 1 } });
});
