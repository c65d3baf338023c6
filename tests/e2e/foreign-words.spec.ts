import { sitePages } from '#api/site.ts';
import { docPages } from '#features/docs/doc-pages.ts';
import bank from '../worlds/bank.json' with { type: 'json' };
import { expect, test } from './fixtures.ts';

const worldFile = 'tests/worlds/bank.json';

test.use({ settings: { WORLD: worldFile } });

const paths = [
	...sitePages.filter(({ isOfService }) => isOfService !== true).map(({ path }) => path),
	...docPages
		.filter(({ name }) => name !== 'world')
		.map(({ name }) => `/docs/${name === 'overview' ? '' : `${name}/`}`),
	...['/preset', '/learn/notes', '/learn/progress', '/learn/certificate', '/moment', '/pause', '/unknown'],
	...['/openapi.json', '/llms.txt', '/manifest.webmanifest']
];
const demoWords =
	/(?<![\w-])Tollgate(?![\w-])|player-(?:one|two|three)|Mara(?: |%20)Vell|Tomas d|100% Orc|Character Viewer|character-viewer|viewer-secret|Pocket Companion|pocket-companion|companion-secret|character_read/g;

test('no page of a partner’s server has a word of the demo world before scripts run', async ({ page }) => {
	const found: Record<string, string[]> = {};
	await page.goto('/');
	const read = (path: string) => page.evaluate(async (url) => (await fetch(url)).text(), path);
	for (const path of paths) {
		const words = [...new Set((await read(path)).match(demoWords) ?? [])];
		if (words.length > 0) found[path] = words;
	}
	expect(found).toEqual({});
	expect(await read('/')).toContain(bank.brand.headline);
});
