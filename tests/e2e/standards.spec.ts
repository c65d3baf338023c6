import { hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

test('a difference is sent to both dialects', async ({ page }) => {
	await page.goto('/providers?compare=specification,standard');
	await hydrated(page);
	const list = page.getByRole('navigation', { name: 'Standards' });
	await list.getByRole('link', { name: /Refresh token rotation/ }).press('ArrowDown');
	await expect(list.getByRole('link', { name: /Revocation/ })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(page.getByRole('heading', { name: 'Revocation' })).toBeVisible();

	await page.getByRole('button', { name: 'Send both' }).click();
	await expect(page.getByText('Different as documented')).toBeVisible();
	const request = page.getByRole('table', { name: 'Request' });
	await expect(request.getByRole('row', { name: /^method/ })).toHaveText(/GET\s*POST/);
	await expect(list.getByRole('link', { name: /Revocation As documented/ })).toBeVisible();
	await expectUsable(page);
	await expect(
		page
			.getByRole('group', { name: /^Change from/ })
			.getByRole('insertion')
			.first()
	).toBeVisible();
});

test(
	'a sign-in to both dialects is in the inspector, and the sandbox takes the other one',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await page.goto('/providers?compare=specification,standard');
		await hydrated(page);
		await page
			.getByRole('navigation', { name: 'Standards' })
			.getByRole('link', { name: /Revocation/ })
			.click();
		await page.getByRole('button', { name: 'Sign in to both' }).click();
		await expect(page.getByText('Signed in to both')).toBeVisible();
		await expect(page.getByRole('table', { name: 'Response' })).toContainText('Bearer');
		await expectUsable(page);
		await page.getByRole('button', { name: 'Send both' }).click();
		await expect(page.getByText('Different as documented')).toBeVisible();
		const link = page.getByRole('link', { name: 'Today’s standards: open in the inspector' });
		await page.goto((await link.getAttribute('href')) ?? '');
		await expect(page.getByRole('region', { name: 'Selected exchange' })).toContainText('standards-user');

		await page.goto('/providers?compare=specification,standard');
		await page.getByRole('group', { name: 'Dialect of my sandbox' }).getByText('Today’s standards').click();
		const dialect = async () => JSON.stringify(await server.control('GET', '/control/sandbox'));
		await expect.poll(dialect).toContain('"dialect":"standard"');
	}
);
