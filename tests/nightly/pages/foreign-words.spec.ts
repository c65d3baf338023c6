import { followLink } from '../../e2e/demo-clients.ts';
import { expect, test } from '../../e2e/fixtures.ts';
import { foreignFile, foreignWords, shownPaths } from '../../hosts/kit/foreign-words.ts';
import { shownTexts } from './shown-texts.ts';

test.use({ settings: { WORLD: foreignFile } });

test('no page of a partner’s server has a word of the demo world after scripts ran', async ({ page }) => {
	const [first = '', ...others] = shownPaths;
	const texts = await shownTexts(page, [first], (path) => page.goto(path));
	Object.assign(texts, await shownTexts(page, others, (path) => followLink(page, path)));
	expect(Object.keys(texts)).toEqual(shownPaths);
	expect(foreignWords(texts)).toEqual({});
});
