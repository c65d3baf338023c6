import bank from '../worlds/bank.json' with { type: 'json' };
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
	expect(foreignWords(await shownTexts(page, '', shownPaths))).toEqual({});
});
