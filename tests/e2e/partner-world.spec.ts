import partner from '../../static/partner-world.json' with { type: 'json' };
import { expect, test } from './fixtures.ts';
import { partnerFile } from './partner-world.ts';

test.use({ settings: { WORLD: partnerFile } });

test('the first response of a partner’s server has its names and colors, and no others', async ({ page }) => {
	const html = await (await page.goto('/viewer'))?.text();
	expect(html).toContain('<title>Fleet Portal · Harbor Lane</title>');
	expect(html).toContain('<meta property="og:site_name" content="Harbor Lane"/>');
	expect(html).toContain('<meta property="og:title" content="Fleet Portal · Harbor Lane"/>');
	expect(html?.replace('Simulated with Tollgate', '')).not.toContain('Tollgate');
	expect(html).toContain('--accent-solid:light-dark(#0b5f73,#6fd0e6)');
	const manifest = await page.evaluate(async () => (await fetch('/manifest.webmanifest')).text());
	expect(manifest).toContain('"name": "Harbor Lane"');
	expect(manifest).not.toContain('Tollgate');
	await page.goto('/companion');
	await expect(page.getByRole('heading', { name: 'Deck App', level: 1 })).toBeVisible();
});

test('the certificate and the link to it have the logo and the color of the partner', async ({ page }) => {
	await page.goto('/learn');
	const link = page.getByRole('region', { name: 'Certificate' });
	await expect(link.locator('img:visible')).toHaveAttribute('src', partner.brand.logo.light);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await page.goto('/learn/certificate');
		const certificate = page.getByRole('article', { name: 'Certificate' });
		await expect(certificate).toContainText('Harbor Lane');
		// The paper is white in both themes.
		await expect(certificate.locator('img')).toHaveAttribute('src', partner.brand.logo.light);
		await expect(certificate.locator('.stripes rect').first()).toHaveCSS('fill', 'rgb(11, 95, 115)');
	}
});
