import { expectAccessible } from './axe.ts';
import { allow } from './demo-clients.ts';
import { ExaminedClient } from './examined-client.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

test('a client takes the exam, fails a rule, tries it again and disputes it', async ({ page, server, context }) => {
	const client = new ExaminedClient();
	await client.start();
	await page.goto('/exam');
	await page.getByLabel('Redirect URI').fill(`${client.origin}/callback`);
	await page.getByLabel('Sign-in URL').fill(`${client.origin}/login`);
	await page.getByLabel('URL that uses a token').fill(`${client.origin}/me?name={name}`);
	await page.getByLabel('Sign-out URL').fill(`${client.origin}/logout`);
	await page.getByRole('button', { name: 'Get the configuration' }).click();
	const env = page.getByRole('group', { name: '.env' });
	await expect(env).toContainText('TOLLGATE_CLIENT_SECRET=');
	client.configure(await env.innerText(), server.authority, { mistakes: ['state stays valid', 'no challenge'] });
	await expectAccessible(page);

	// The exam begins with the first authorization request.
	const opened = context.waitForEvent('page');
	await page.getByRole('button', { name: 'Open sign-in page' }).click();
	const clientWindow = await opened;
	await expect(page.getByRole('heading', { name: 'Step 1 of 29' })).toBeVisible();
	await allow(clientWindow);
	// The window is open, so the exam uses the client itself. The second browser is for the user.
	await expect(page.getByText('In a private window')).toBeVisible();
	await expect(page.getByText('Sign in as exam-2')).toBeVisible();
	await expectAccessible(page);
	await page.getByRole('button', { name: 'Stop' }).click();
	await page.getByRole('button', { name: 'Stop the exam' }).click();

	await expect(page.getByRole('heading', { name: 'No result' })).toBeHidden();
	await page.getByRole('button', { name: 'A state works once' }).click();
	await page.getByRole('button', { name: 'Try again' }).click();
	// The service holds the request, a first link completes it, and a second one is that of an attacker with the same state.
	const signInPage = page.getByRole('button', { name: 'Open sign-in page' });
	await expect(page.getByText('The service holds the request')).toBeVisible();
	await signInPage.click();
	await page.getByRole('button', { name: 'Complete the sign-in' }).click();
	await page.getByRole('button', { name: 'Open the link' }).click();
	await expect(page.getByText('sign in, and allow access')).toBeVisible();
	await signInPage.click();
	await allow(clientWindow);

	await expect(page.getByRole('heading', { name: '1 rule failed' })).toBeVisible();
	await page.getByRole('button', { name: 'A state works once' }).click();
	await page.getByRole('link', { name: 'POST /ws/oauth2/token/' }).first().click();
	await expect(page.getByRole('region', { name: 'What the client sent' })).toBeVisible();
	await page.keyboard.press('Escape');
	await expectUsable(page);

	await page.getByRole('button', { name: 'Dispute' }).click();
	await page.getByLabel('Reason').fill('The callback is in a sandboxed frame.');
	await page.getByRole('dialog').getByRole('button', { name: 'Dispute' }).click();
	await expect(page.getByRole('heading', { name: /^Stopped: \d+ of 56 judged$/ })).toBeVisible();
	await page.reload();
	await page.getByRole('button', { name: 'A state works once' }).click();
	await expect(page.getByText('The callback is in a sandboxed frame.').filter({ visible: true })).toBeVisible();
	client.close();
});

test(
	'a client of today’s standards takes the exam, and sees which rules are left out',
	{ tag: '@nightly' },
	async ({ page, server, context }) => {
		const client = new ExaminedClient();
		await client.start();
		await page.goto('/exam');
		await page.getByLabel('Dialect').selectOption('Today’s standards');
		await page.getByLabel('Redirect URI').fill(`${client.origin}/callback`);
		await page.getByLabel('Sign-in URL').fill(`${client.origin}/login`);
		await page.getByLabel('URL that uses a token').fill(`${client.origin}/me?name={name}`);
		await page.getByRole('button', { name: 'Get the configuration' }).click();
		const env = page.getByRole('group', { name: '.env' });
		await expect(env).toContainText('TOLLGATE_CLIENT_SECRET=');
		client.configure(await env.innerText(), server.authority, { dialect: 'standard', posts: true });
		const opened = context.waitForEvent('page');
		await page.getByRole('button', { name: 'Open sign-in page' }).click();
		await expect(page.getByRole('heading', { name: 'Step 1 of 29' })).toBeVisible();
		const clientWindow = await opened;
		await allow(clientWindow);
		await expect(page.getByText('In a private window')).toBeVisible();
		await page.getByRole('button', { name: 'Stop' }).click();
		await page.getByRole('button', { name: 'Stop the exam' }).click();
		await expect(page.getByText('today’s standards')).toBeVisible();
		await page.getByRole('button', { name: 'Repeated reads are cached' }).click();
		await expect(page.getByText('Left out. No standard asks').filter({ visible: true }).first()).toBeVisible();
		client.close();
	}
);
