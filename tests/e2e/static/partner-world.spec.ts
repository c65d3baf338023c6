import { partnerWorld, walkPartnerWorld } from '../partner-world.ts';
import { expect, openServed, test } from './fixtures.ts';

test.describe('below a base path', () => {
	test.use({ base: '/demo' });

	test('a user signs in to the world of the site’s world.json', async ({ page, site }) => {
		site.change('/world.json', () => partnerWorld());
		await page.goto(site.url);
		await expect(page.getByText('Running in your browser')).toBeVisible();
		await walkPartnerWorld(page, site.base);
		expect(site.leaks()).toEqual([]);
	});
});

test('a mistake in world.json is shown, and the demo world is used', async ({ page, site }) => {
	site.change('/world.json', () => partnerWorld().replace('"#0b5f73"', '"#abcdef"'));
	await openServed(page, site);
	await expect(page.getByRole('alert')).toContainText('brand.accent.light: its contrast on the light page is');
	await expect(page).toHaveTitle(/^Tollgate: /);
});
