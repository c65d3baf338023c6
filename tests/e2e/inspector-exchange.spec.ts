import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test('explains a failed code exchange, compares it with one that worked, and sends it again', async ({ page }) => {
	await page.goto('/inspector');
	const { worked, failed } = await exchangeTwice(page);

	await page.goto(`/inspector?request=${failed}`);
	const why = page.getByRole('region', { name: 'Why it failed' });
	await expect(why).toContainText('The redirect_uri differs from that of the authorization request.');
	await expect(why).toContainText('/viewer/callback/');
	await expect(why).toContainText('Change in the client:');
	await expect(page.getByRole('list', { name: 'Checks' })).toContainText('token.redirect_uri_matches · different');

	await page.getByRole('radio', { name: 'Compare' }).check({ force: true });
	await expect(page.getByLabel('Compare with')).toHaveValue(worked);
	await expect(page.getByText('This exchange failed, and the other one worked.')).toBeVisible();
	const firstDifferences = page.getByRole('row').filter({ hasText: 'First difference' });
	await expect(firstDifferences).toHaveCount(2);
	await expect(firstDifferences.first()).toContainText('redirect_uri');

	await page.getByRole('radio', { name: 'Request', exact: true }).check({ force: true });
	await page.getByText('Copy as code').click();
	await expect(page.getByRole('group', { name: 'curl' })).toContainText(/"\$CODE_\d+"/);

	await page.getByRole('button', { name: 'Edit and resend' }).click();
	const dialog = page.getByRole('dialog', { name: 'Edit and resend' });
	const body = dialog.getByLabel('Body');
	const secret = /client_secret=[^&]+/.exec(await body.inputValue())?.[0] ?? '';
	expect(secret).toMatch(/‹client secret \d+›/);
	await body.fill(`grant_type=password&client_id=character-viewer&${secret}`);
	await expect(dialog.getByText('use the value of the demo client in this browser')).toBeVisible();
	expect(await page.content()).not.toContain('viewer-secret');
	await dialog.getByRole('button', { name: 'Send request' }).click();
	await expect(dialog).toBeHidden();
	await expect(page).not.toHaveURL(new RegExp(`request=${failed}`));
	await page.getByRole('radio', { name: 'Why' }).check({ force: true });
	await expect(why).toContainText('The dialect of the sandbox does not have this grant type');
	expect(page.url()).not.toContain('viewer-secret');
});

/** Exchanges two codes, the second with a wrong redirect URI. Returns the ids of the exchanges. */
async function exchangeTwice(page: Page): Promise<{ worked: string; failed: string }> {
	return page.evaluate(async () => {
		const json = { Accept: 'application/json' };
		const app = {
			client_id: 'character-viewer',
			client_secret: 'viewer-secret',
			redirect_uri: `${location.origin}/viewer/callback`
		};
		const { client_id, redirect_uri } = app;
		const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, scope: 'character_read' });
		const post = (target: string, fields: Record<string, string>) =>
			fetch(target, { method: 'POST', headers: json, body: new URLSearchParams(fields) });
		const step = async (): Promise<{ form: { fields: Record<string, string> } }> =>
			(await fetch(`/ws/oauth2/auth/?${query}`, { headers: json })).json();
		const exchange = async (more: Record<string, string>) => {
			const decided = await post('/ws/oauth2/auth/', { ...(await step()).form.fields, decision: 'approve' });
			const code = new URL(decided.url).searchParams.get('code') ?? '';
			const response = await post('/ws/oauth2/token/', { grant_type: 'authorization_code', code, ...app, ...more });
			return response.headers.get('X-Request-Id') ?? '';
		};
		await post('/ws/oauth2/auth/', { ...(await step()).form.fields, username: 'player-one', password: 'demo' });
		return { worked: await exchange({}), failed: await exchange({ redirect_uri: `${redirect_uri}/` }) };
	});
}
