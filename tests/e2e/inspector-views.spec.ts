import { readFileSync } from 'node:fs';
import { openViewer, showCharacter, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectAccessible } from './axe.ts';
import { expectUsable } from './reflow.ts';

test.beforeEach(async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	await showCharacter(page, 'Mara Vell');
});

test('the inspector draws a flow, and follows the keyboard', async ({ page }) => {
	await page.goto('/inspector?view=diagram');
	const messages = page.getByRole('listbox', { name: 'Messages of the flow' });
	await expect(messages.getByRole('option', { name: /^Browser to Application: GET \/viewer\/callback/ })).toBeVisible();
	await expectUsable(page);
	await messages.press('Home');
	await messages.press('ArrowDown');
	await messages.press('Enter');
	await expect(page.getByRole('region', { name: 'Selected exchange' })).toBeVisible();
	await expect(page).toHaveURL(/request=/);
	await expect(messages.locator('.active')).toHaveCount(1);
	await page.getByRole('button', { name: 'Close', exact: true }).press('Escape');
	await expect(page.getByRole('region', { name: 'Selected exchange' })).toBeHidden();
	await expect(messages).toBeFocused();

	const download = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Mermaid' }).click();
	const diagram = readFileSync(await (await download).path(), 'utf8');
	expect(diagram).toContain('application->>authorization: POST /ws/oauth2/token/ authorization_code');
});

test(
	'the inspector shows earlier states of tokens and limits, and replays a code',
	{ tag: '@nightly' },
	async ({ page }) => {
		await page.goto('/inspector?view=diagram');
		await page.getByRole('group', { name: 'View' }).getByText('Tokens').click();
		const grant = page.getByRole('region', { name: 'Grant of player-one to Character Viewer' });
		const end = grant.getByRole('button', { name: /^Revoke access token \d+$/ }).last();
		await expect(end).toBeVisible();
		await expectAccessible(page);
		const slider = page.getByRole('slider', { name: 'Rewind' });
		await slider.press('Home');
		await expect(page.getByText('No codes or tokens yet')).toBeVisible();
		await page.getByRole('button', { name: 'Live' }).click();
		await end.click();
		await expect(grant.getByText('Ended by a control').first()).toBeVisible();
		await grant
			.getByRole('button', { name: /^Replay code \d+$/ })
			.last()
			.click();
		const detail = page.getByRole('region', { name: 'Selected exchange' });
		await expect(detail.getByText('token.code_not_used').first()).toBeVisible();
		await expect(grant.getByText('Invalidated by replay').first()).toBeVisible();
		// On a phone the exchange covers the view, so it closes when another view is chosen.
		await page.setViewportSize({ width: 390, height: 800 });
		await page.getByRole('group', { name: 'View' }).getByText('Rate limits').click();
		await expect(detail).toBeHidden();
		await page.setViewportSize({ width: 1280, height: 800 });

		const card = page.getByRole('region', { name: '/ws/v2.0/character/*' });
		await card.getByRole('button', { name: 'Compare with ratelimits' }).click();
		await expect(card.getByText('Headers agree')).toBeVisible();
		await expectAccessible(page);
	}
);
