import { partnerWorld, walkPartnerWorld } from '../partner-world.ts';
import { expect, openServed, test } from './fixtures.ts';

test.describe('below a base path', () => {
	test.use({ base: '/demo' });

	test('a user signs in to the world of the site’s world.json', { tag: '@nightly' }, async ({ page, site }) => {
		site.change('/world.json', () => partnerWorld());
		const violations: string[] = [];
		page.on('console', (message) => {
			if (message.text().includes('Content Security Policy')) violations.push(message.text());
		});
		await page.goto(site.url);
		await expect(page.getByText('Running in your browser')).toBeVisible();
		await walkPartnerWorld(page, site.base);
		expect(site.leaks()).toEqual([]);
		expect(violations).toEqual([]);
	});

	test(
		'the documentation has the brand of the site’s world.json, also without the service worker',
		{ tag: '@nightly' },
		async ({ page, site }) => {
			site.change('/world.json', () => partnerWorld());
			site.change('/service-worker.js', () => undefined);
			await page.goto(`${site.url}docs/`);
			await expect(page).toHaveTitle('Documentation · Harbor Lane docs');
		}
	);
});

test('a mistake in world.json is shown, and the demo world is used', { tag: '@nightly' }, async ({ page, site }) => {
	site.change('/world.json', () => partnerWorld().replace('"#0b5f73"', '"#abcdef"'));
	await openServed(page, site);
	await expect(page.getByRole('alert')).toContainText('brand.accent.light: its contrast on the light page is');
	await expect(page).toHaveTitle(/^Tollgate: /);
});
