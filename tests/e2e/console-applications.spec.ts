import type { Page } from '@playwright/test';
import * as v from 'valibot';
import { expect, test, type Server } from './fixtures.ts';

const details = v.looseObject({ client_id: v.string(), name: v.string(), redirect_uris: v.array(v.string()) });
const created = v.object({ client_id: v.string(), client_secret: v.string() });

/** What the service knows of the applications, newest last. */
async function stored(server: Server) {
	const list = v.object({ applications: v.array(details) });
	return v.parse(list, await server.control('GET', '/control/applications')).applications;
}

/** Registers an application, and opens a tab of its page. */
async function openNew(page: Page, server: Server, tab: string) {
	const body = { name: 'Test client', kind: 'web', redirect_uris: ['http://x.example/cb'] };
	const application = v.parse(created, await server.control('POST', '/control/applications', body));
	await page.goto(`/console/application?client_id=${application.client_id}&tab=${tab}`);
	return application;
}

async function press(page: Page, label: string) {
	await page.getByRole('button', { name: label, exact: true }).press('Enter');
}

test('an application is registered by keyboard, with each mistake at its field', async ({ page, server }) => {
	await page.goto('/console');
	await press(page, 'Register application');
	const { keyboard } = page;
	const name = page.getByRole('textbox', { name: 'Name' });
	const uri = page.getByRole('textbox', { name: 'Redirect URI', exact: true });
	await name.press('Enter');
	await expect(name).toHaveAccessibleDescription(/This field is required/);
	await expect(name).toBeFocused();
	await keyboard.type('Test client');
	await keyboard.press('Tab');
	await keyboard.press('ArrowDown');
	await expect(page.getByRole('dialog')).toContainText('Any port of localhost is allowed.');
	await keyboard.press('ArrowUp');
	await keyboard.press('Tab');
	await expect(uri).toBeFocused();
	await keyboard.type('http://x.example/#f');
	await keyboard.press('Enter');
	await expect(uri).toHaveAccessibleDescription(/cannot have a fragment/);
	await expect(uri).toBeFocused();
	await uri.fill('http://x.example/cb');
	await keyboard.press('Enter');
	await expect(page.getByText('uses HTTP, so the code can be intercepted.')).toBeVisible();
	expect((await stored(server)).at(-1)).toMatchObject({ name: 'Test client', redirect_uris: ['http://x.example/cb'] });
});

test('the secret of a new application is selected by clicks, is in its commands, and is gone after a reload', async ({
	page,
	server
}) => {
	await page.goto('/console');
	await press(page, 'Register application');
	await page.getByRole('textbox', { name: 'Name' }).fill('Test client');
	await page.getByRole('textbox', { name: 'Redirect URI', exact: true }).fill('http://x.example/cb');
	await page.keyboard.press('Enter');
	const shown = page.getByRole('status').getByText(/^[\w-]{43}$/);
	const secret = (await shown.textContent()) ?? '';
	await shown.click({ clickCount: 3 });
	expect(await page.evaluate(() => getSelection()?.toString())).toBe(secret);
	await page.getByRole('link', { name: 'Connect your client', exact: true }).press('Enter');
	await expect(page).toHaveURL(/&tab=connect$/);
	const commands = page.getByRole('group', { name: /^Run it/ });
	await expect(commands).toContainText(`=${server.caFile}\n`);
	await expect(commands).toContainText(`CLIENT_SECRET='${secret}'`);
	await page.getByRole('radio', { name: 'curl' }).focus();
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('ArrowRight');
	await expect(page.getByRole('group', { name: 'client.py' })).toContainText('requests_oauthlib');
	await page.reload();
	await expect(page.getByRole('group', { name: 'client.py' })).toBeVisible();
	await expect(commands).toContainText('PASTE_THE_SECRET');
	expect(await page.content()).not.toContain(secret);
});

test(
	'the tester marks the characters in which a redirect URI differs',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await openNew(page, server, 'tester');
		const tested = page.getByRole('textbox', { name: 'URI to test' });
		await tested.fill('http://x.example/CB');
		const result = page.getByRole('status').filter({ hasText: 'It does not match' });
		await expect(result).toContainText('The letter case differs: “C” instead of “c”.');
		await expect(page.locator('mark')).toHaveText(['c', 'C']);
		await tested.fill('http://x.example/cb');
		await expect(page.getByText('It matches')).toBeVisible();
		await expect(page.locator('mark')).toHaveCount(0);
	}
);

test('the settings of an application are changed and its secret is rotated by keyboard', async ({ page, server }) => {
	const { client_id, client_secret } = await openNew(page, server, 'settings');
	await page.getByRole('textbox', { name: 'Name' }).fill('Renamed client');
	await press(page, 'Add redirect URI');
	await expect(page.getByRole('textbox', { name: 'Redirect URI 2' })).toBeFocused();
	await page.keyboard.type('https://x.example/cb');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('heading', { name: 'Renamed client' })).toBeVisible();
	expect((await stored(server)).at(-1)).toMatchObject({
		name: 'Renamed client',
		redirect_uris: ['http://x.example/cb', 'https://x.example/cb']
	});
	await press(page, 'Rotate secret…');
	await press(page, 'Rotate secret');
	const rotated = await page
		.getByRole('status')
		.getByText(/^[\w-]{43}$/)
		.textContent();
	expect(rotated).not.toBe(client_secret);
	const statuses = await page.evaluate(
		async ({ client_id, secrets }) => {
			const send = (client_secret: string) => {
				const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id, client_secret });
				return fetch('/ws/oauth2/token/', { method: 'POST', body });
			};
			return Promise.all(secrets.map(async (secret) => (await send(secret)).status));
		},
		{ client_id, secrets: [client_secret, rotated ?? ''] }
	);
	expect(statuses, 'only the new secret is known').toEqual([401, 400]);
});

test('an application is deleted after its page has said what is lost', async ({ page, server }) => {
	const { client_id } = await openNew(page, server, 'settings');
	await press(page, 'Delete application…');
	const dialog = page.getByRole('dialog', { name: 'Delete Test client?' });
	const lost = [/client_id/, '0 grants', /codes/, /access/, /refresh/];
	await expect(dialog.getByRole('listitem')).toHaveText(lost);
	await press(page, 'Delete application');
	await expect(page.getByRole('heading', { level: 1, name: 'Applications' })).toBeVisible();
	await expect(page.getByRole('rowheader', { name: 'Character Viewer' })).toBeVisible();
	await expect(page.getByRole('rowheader', { name: 'Test client' })).toBeHidden();
	expect((await stored(server)).map((one) => one.client_id)).not.toContain(client_id);
	await page.goto('/console/application');
	await expect(page.getByText('Application not found')).toBeVisible();
});
