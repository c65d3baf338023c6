import { expect, test } from './fixtures.ts';

test('five minutes in the browser, as the README has them', async ({ page, picture, expectAccessible }) => {
	await page.goto('/');
	await expectAccessible();
	await picture('front');

	await page.getByRole('link', { name: 'Walk through a sign-in' }).click();
	await page.getByText('Offline', { exact: true }).click();
	await page.getByText('The request, parameter by parameter').click();
	await expect(page.getByText('access_type').first()).toBeVisible();
	await page.getByRole('button', { name: 'Continue to the service' }).click();

	await expect(page).toHaveTitle(/Sign in/);
	await expectAccessible();
	await picture('sign-in');
	await page.getByRole('button', { name: 'player-one' }).click();

	await expect(page.getByRole('heading', { name: /asks for access/ })).toBeVisible();
	await expectAccessible();
	await picture('consent');
	await page.getByRole('button', { name: 'Allow', exact: true }).click();

	await page.waitForURL('**/viewer');
	const character = page.getByRole('region', { name: 'Character' });
	for (const name of ['Half/Life', '100% Orc', 'Zoë Šťastná', 'Mara Vell']) {
		await character.getByRole('button', { name, exact: true }).click();
		await expect(character.getByRole('heading', { name })).toBeVisible();
	}
	await expect(page.getByRole('meter')).toHaveAttribute('aria-valuetext', /596 of 600/);
	await expectAccessible();
	await picture('viewer');

	await page.goto('/account');
	await expectAccessible();
	await picture('account');
	await page.getByRole('button', { name: /take .*away/i }).click();
	await expect(page.getByText('Character Viewer')).toHaveCount(0);
});
