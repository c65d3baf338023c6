import { expectAccessible } from './axe.ts';
import { openViewer, showCharacter, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

test.beforeEach(async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	await showCharacter(page, 'Mara Vell');
	await page.goto('/inspector?view=report');
});

test('the report card of the inspector judges the exchanges that it shows', async ({ page }) => {
	const card = page.getByRole('region', { name: 'Nothing failed' });
	await expect(card.getByRole('heading', { name: 'State and code verifier differ' })).toBeHidden();
	await card.getByRole('button', { name: /^Passed/ }).click();
	const rows = card.getByRole('listitem').getByRole('button');
	await rows.first().press('ArrowDown');
	await expect(rows.nth(1)).toBeFocused();
	await card.getByRole('button', { name: 'State and code verifier differ' }).click();
	await expect(card.getByRole('article')).toContainText('request.state_not_verifier');
	await expect(card.getByRole('article').getByRole('link', { name: /auth/ }).first()).toBeVisible();
	await expectAccessible(page);
});

test('an open report card changes with a request that breaks a rule', { tag: '@nightly' }, async ({ page }) => {
	await expect(page.getByRole('region', { name: 'Nothing failed' })).toBeVisible();
	await page.evaluate(async () => {
		const body = new URLSearchParams({
			grant_type: 'refresh_token',
			client_id: 'character-viewer',
			client_secret: 'viewer-secret'
		});
		await fetch('/ws/oauth2/token/', { method: 'POST', body });
	});
	const failed = page.getByRole('region', { name: '1 rule failed' });
	await failed.getByRole('button', { name: 'The refresh token is kept' }).press('Enter');
	const detail = failed.getByRole('article');
	await expect(detail).toContainText('A refresh had no refresh token.');
	await expect(detail.getByText('Wrong', { exact: true })).toBeVisible();
	await detail.getByRole('link', { name: /POST .*token/ }).click();
	await expect(page.getByText('The form has no refresh_token.').first()).toBeVisible();
	await expectAccessible(page);

	await page.keyboard.press('Escape');
	await page.setViewportSize({ width: 390, height: 800 });
	await expect(detail.first()).toBeVisible();
	await expectAccessible(page);
});
