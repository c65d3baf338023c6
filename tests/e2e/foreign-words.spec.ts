import bank from '../worlds/bank.json' with { type: 'json' };
import { followLink, hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { appPaths, docPaths, filePaths, foreignFile, foreignWords, shownPaths, shownTexts } from './foreign-words.ts';

test.use({ settings: { WORLD: foreignFile } });

test('no page of a partner’s server has a word of the demo world before scripts run', async ({ page }) => {
	const texts: Record<string, string> = {};
	await page.goto('/');
	const read = (path: string) => page.evaluate(async (url) => (await fetch(url)).text(), path);
	for (const path of [...appPaths, ...docPaths, ...filePaths]) texts[path] = await read(path);
	expect(foreignWords(texts)).toEqual({});
	expect(await read('/')).toContain(bank.brand.headline);
});

test('no page of a partner’s server has a word of the demo world after scripts ran', async ({ page }) => {
	const [first = '', ...others] = shownPaths;
	const texts = await shownTexts(page, [first], (path) => page.goto(path));
	Object.assign(texts, await shownTexts(page, others, (path) => followLink(page, path)));
	expect(Object.keys(texts)).toEqual(shownPaths);
	expect(foreignWords(texts)).toEqual({});
});

test('the inspector calls the endpoint of the resource by the noun of the world', async ({ page }) => {
	await page.goto('/inspector?endpoint=character');
	await hydrated(page);
	await page.evaluate(
		async (name) => (await fetch(`/ws/v2.0/account/${encodeURIComponent(name)}`)).status,
		'DK50 0040'
	);
	await expect(page.getByRole('treeitem').filter({ hasText: 'account/DK50 0040 account 401' })).toBeVisible();
	const filter = page.getByRole('combobox', { name: 'Endpoint' });
	await expect(filter).toHaveValue('character');
	await expect(filter.getByRole('option')).toHaveText(['Endpoint', 'account']);
	await expect(page.getByRole('searchbox', { name: 'Search exchanges' })).toHaveValue('endpoint:account');
});
