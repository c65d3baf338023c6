import { allow, chooseAccount } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';
import { authorize, choose, openBuilder, parameter } from './request-builder.ts';

test('judges a mistake in an authorization request, exchanges the code of a correct one, and uses the token', async ({
	page
}) => {
	await openBuilder(page);
	await page.getByRole('button', { name: 'Add PKCE' }).click();
	await page.getByRole('button', { name: 'Capital letter in redirect_uri' }).click();
	await expect(page.getByText('auth.redirect_uri_registered · not_registered')).toBeVisible();
	await page.getByRole('button', { name: 'Open with this mistake' }).click();
	await expect(page).toHaveURL(/\/ws\/oauth2\/auth\/.*Callback/);
	await page.goBack();
	await expect(page.getByText('Failed as predicted: The application registered redirect_uri')).toBeVisible();
	await page.getByRole('button', { name: 'Capital letter in redirect_uri' }).click();

	await authorize(page);
	await expect(page).toHaveURL(/\/request$/);
	await expect(page.getByText('state is the value that was sent.')).toBeVisible();
	await page.getByRole('button', { name: 'Send request' }).click();
	await expect(page.getByText('The Character and Refresh requests now use these tokens.')).toBeVisible();
	const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
	expect(stored).toContain('tollgate-request-builder');
	expect(stored).not.toContain('viewer-secret');

	await choose(page, 'Character');
	await page.getByRole('button', { name: 'Bearer in place of OAuth' }).click();
	await page.getByRole('button', { name: 'Send with this mistake' }).click();
	await expect(page.getByText(/^Failed as predicted: /)).toBeVisible();
	await expectUsable(page);
	await page.getByRole('link', { name: 'Show checks' }).click();
	await expect(page.getByRole('region', { name: 'Both ends of the request' })).toContainText('The scheme is Bearer');
});

test('exchanges a code that an installed application got on a page', { tag: '@nightly' }, async ({ page }) => {
	await openBuilder(page);
	await page.getByLabel('Application').selectOption('Pocket Companion');
	const opened = page.context().waitForEvent('page');
	await page.getByRole('button', { name: 'Open in new tab' }).click();
	const service = await opened;
	await chooseAccount(service, 'player-one');
	await allow(service);
	await expect(service).toHaveTitle(/^Success,code=/);
	const shown = await service.title();
	await service.close();
	await page.getByRole('button', { name: 'Paste the code' }).click();
	const code = parameter(page, 'code');
	await expect(code).toHaveAttribute('type', 'password');
	await code.fill(shown);
	await page.getByRole('button', { name: 'Show code', exact: true }).click();
	await expect(code).toHaveValue(shown.replace('Success,code=', ''));
	await page.getByRole('button', { name: 'Send request' }).click();
	await expect(page.getByText('"access_token"')).toBeVisible();
	await page.getByRole('button', { name: 'Code used twice' }).click();
	await page.getByRole('button', { name: 'Send with this mistake' }).click();
	await expect(page.getByText('Failed as predicted: The code was not used before')).toBeVisible();
});

for (const viewport of [
	{ width: 1280, height: 800 },
	{ width: 390, height: 844 }
]) {
	// On a phone more covers it.
	const tag = viewport.width > 390 ? '@nightly' : [];
	test(
		`shows and focuses the notice of the code after the consent, ${viewport.width} pixels wide`,
		{ tag },
		async ({ page }) => {
			await page.setViewportSize(viewport);
			await openBuilder(page);
			await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
			await authorize(page);
			const notice = page.getByText('Code received and filled in');
			await expect(notice).toBeInViewport({ ratio: 1 });
			await expect(page.locator(':focus')).toContainText('Code received and filled in');
			// The bar at the top does not cover it.
			const isOnTop = notice.evaluate((element) => {
				const { left, top } = element.getBoundingClientRect();
				return element.contains(document.elementFromPoint(left + 1, top + 1));
			});
			expect(await isOnTop).toBe(true);
			await expect(page.getByText('HTTP 303')).toBeVisible();
		}
	);
}
