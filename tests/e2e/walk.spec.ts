import type { Page } from '@playwright/test';
import { allow, chooseAccount } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { python, runPython } from './python-client.ts';

const redirect_uri = 'https://client.example/callback';

test('a developer registers, connects in Python, is blacklisted, is unblocked by a ticket, and continues', async ({
	page,
	server
}, info) => {
	if (python === undefined) console.warn('PYTHON WAS NOT RUN: requests-oauthlib is not installed.');
	await page.goto('/console');
	await page.getByRole('textbox', { name: 'Name' }).fill('Python client');
	await page.getByRole('textbox', { name: 'Redirect URI', exact: true }).fill(redirect_uri);
	await page.keyboard.press('Enter');
	const registered = page.getByRole('status').filter({ hasText: 'Application registered' });
	const client_secret = (await registered.getByText(/^[\w-]{43}$/).textContent()) ?? '';
	await page.getByRole('link', { name: 'Connect your client' }).click();
	await page.getByText('Python', { exact: true }).click();
	const code = (await page.getByRole('group', { name: 'client.py' }).textContent()) ?? '';
	expect(code).toContain('requests_oauthlib');

	const client = { folder: info.outputDir, code, client_secret, authority: server.authority, redirect_uri };
	const client_id = /CLIENT_ID = "([\w-]+)"/.exec(code)?.[1] ?? '';
	const connect = (signIn: () => Promise<void>) =>
		python === undefined ? connectByFetch(page, client_id, client_secret, signIn) : runPython(page, client, signIn);
	const output = await connect(async () => {
		await chooseAccount(page, 'player-one');
		await allow(page);
	});
	expect(output).toMatch(/200 .*Mara Vell/);

	await server.control('PATCH', '/control/settings', { limits: { character: 2, blacklist_after_refused: 2 } });
	await page.goto('/console/support');
	await expect(page.getByText('is not blacklisted')).toBeVisible();
	const statuses = await page.evaluate(async () => {
		const seen: number[] = [];
		for (let count = 0; count < 6; count++) {
			const response = await fetch('/ws/v2.0/character/Mara%20Vell').catch(() => undefined);
			seen.push(response?.status ?? 0);
		}
		return seen;
	});
	expect(statuses).toContain(400);
	expect(statuses.at(-1), 'no response').toBe(0);

	await page.reload();
	await expect(page.getByText('is blacklisted')).toBeVisible();
	await page.getByLabel('What happened?').fill('A loop without a pause sent the requests.');
	await page.getByLabel('What did you change?').fill('The client waits for the reset now.');
	await page.getByRole('button', { name: 'File ticket' }).click();
	const tickets = page.getByRole('list', { name: 'Tickets' });
	await expect(tickets).toContainText('The client waits for the reset now.');
	await tickets.getByRole('textbox').fill('Welcome back.');
	await tickets.getByRole('button', { name: 'Unblock' }).click();
	await expect(tickets).toContainText('Unblocked');
	await expect(page.getByText('is not blacklisted')).toBeVisible();

	// Signed in and granted before: the service asks nothing again.
	expect(await connect(() => Promise.resolve())).toMatch(/200 .*Mara Vell/);
});

/** What the Python program does, by `fetch` in the browser. */
async function connectByFetch(
	page: Page,
	client_id: string,
	client_secret: string,
	signIn: () => Promise<void>
): Promise<string> {
	const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, scope: 'character_read' });
	const callback = page.waitForRequest((request) => request.url().startsWith(redirect_uri));
	// It fails where the service redirects at once, because nothing listens at the redirect URI.
	await page.goto(`/ws/oauth2/auth/?${query.toString()}`).catch(() => undefined);
	await signIn();
	const code = new URL((await callback).url()).searchParams.get('code') ?? '';
	// A page that is still on its way to the redirect URI would interrupt the next one.
	await page.waitForURL(/^chrome-error:/);
	await page.goto('/console');
	const fields = { grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri };
	return page.evaluate(async (form) => {
		const issued = await fetch('/ws/oauth2/token/', { method: 'POST', body: new URLSearchParams(form) });
		const { access_token }: { access_token: string } = await issued.json();
		const headers = { Authorization: `OAuth ${access_token}` };
		const response = await fetch('/ws/v2.0/character/Mara%20Vell', { headers });
		return `${response.status} ${await response.text()}`;
	}, fields);
}
