import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import * as v from 'valibot';
import { expect, test, type Server } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

const codes = v.object({ device_code: v.string(), user_code: v.string(), verification_uri: v.string() });
const client_id = 'pocket-companion';
const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';

/** What a device sends: a form, not by the browser. */
function post({ origin, authority }: Server, path: string, form: Readonly<Record<string, string>>): Promise<unknown> {
	const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
	return new Promise((resolve, reject) => {
		const sent = request(`${origin}${path}`, { method: 'POST', ca: authority, headers }, (response) => {
			json(response).then(resolve, reject);
		});
		sent.on('error', reject);
		sent.end(new URLSearchParams({ client_id, ...form }).toString());
	});
}

test('a user enters the code of a device by keyboard, and the device gets its tokens', async ({ page, server }) => {
	await server.control('PATCH', '/control/settings', { dialect: 'standard' });
	const asked = v.parse(codes, await post(server, '/ws/oauth2/device_authorization', {}));
	const poll = () => post(server, '/ws/oauth2/token/', { grant_type, device_code: asked.device_code });
	expect(await poll()).toMatchObject({ error: 'authorization_pending' });

	await page.goto(asked.verification_uri);
	const { keyboard } = page;
	await page.getByLabel('Username').fill('player-one');
	await page.getByLabel('Password').fill('demo');
	await keyboard.press('Enter');
	const code = page.getByLabel('Code');
	await expect(code).toBeFocused();
	await code.fill('BBBB-BBBB');
	await keyboard.press('Enter');
	await expect(page.getByRole('alert')).toContainText('No device');
	await expectUsable(page);
	// In small letters and without the hyphen, as users type it.
	await page.getByLabel('Code').fill(asked.user_code.toLowerCase().replace('-', ' '));
	await keyboard.press('Enter');
	await expect(page.locator('code', { hasText: asked.user_code })).toBeVisible();
	await page.reload();
	await expect(page.locator('code', { hasText: asked.user_code })).toBeVisible();
	await expectUsable(page);
	await page.getByRole('button', { name: 'Allow' }).press('Enter');
	await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible();

	await server.control('POST', '/control/clock', { advance: 10 });
	expect(await poll()).toMatchObject({ token_type: 'Bearer' });
	await page.goBack();
	await expect(page.getByRole('alert')).toContainText('expired or was used');
	await expect(page.getByLabel('Code')).toBeVisible();
});
