import { hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

test.use({ settings: { WORLD: 'tests/worlds/bank.json' } });

test(
	'the inspector calls the endpoint of the resource by the noun of the world',
	{ tag: '@nightly' },
	async ({ page }) => {
		await page.goto('/inspector?endpoint=character');
		await hydrated(page);
		await page.evaluate(
			async (name) => (await fetch(`/ws/v2.0/account/${encodeURIComponent(name)}`)).status,
			'DK50 0040'
		);
		const call = page.getByRole('treeitem').filter({ hasText: 'account/DK50 0040' });
		await expect(call.filter({ hasText: '401' })).toBeVisible();
		const filter = page.getByRole('combobox', { name: 'Endpoint' });
		await expect(filter).toHaveValue('character');
		await expect(filter.getByRole('option')).toHaveText(['Endpoint', 'account']);
		await expect(page.getByRole('searchbox', { name: 'Search exchanges' })).toHaveValue('endpoint:account');
	}
);
