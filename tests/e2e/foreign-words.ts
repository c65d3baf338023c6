import { expect, type Page } from '@playwright/test';
import { sitePages } from '#api/site.ts';
import { docPages } from '#features/docs/doc-pages.ts';
import { hydrated } from './demo-clients.ts';

/** A world that shares no word with the demo world. */
export const foreignFile = 'tests/worlds/bank.json';

/** The pages that follow the world of a site. Each lesson says that it uses the demo world, as the document about world files does. */
export const appPaths: readonly string[] = [
	...sitePages.filter(({ isOfService }) => isOfService !== true).map(({ path }) => path),
	...['/preset', '/share', '/class', '/join', '/moment', '/pause'],
	...['/learn/notes', '/learn/progress', '/learn/certificate', '/unknown']
];
/** Those that follow it in all that scripts show. The notes for instructors describe the lessons, which use the demo world. */
export const shownPaths = appPaths.filter((path) => path !== '/learn/notes');
export const docPaths: readonly string[] = docPages
	.filter(({ name }) => name !== 'world')
	.map(({ name }) => `/docs/${name === 'overview' ? '' : `${name}/`}`);
export const filePaths: readonly string[] = ['/openapi.json', '/llms.txt', '/manifest.webmanifest'];

/** Responses of the service have the pattern of the specification, in quotes. */
const demoWords =
	/(?<![\w-])Tollgate(?![\w-])|player-(?:one|two|three)|Mara(?: |%20)Vell|Tomas d|100% Orc|Character Viewer|character-viewer|viewer-secret|Pocket Companion|pocket-companion|companion-secret|character_read|(?<!"|&quot;)\/ws\/v2\.0\/character\/\*|player-four|Cartographer|The Long Road|(?:[Aa]|the|no|No|each|every|accounts,) characters?\b(?! (?:`|<code>)?a-z)/g;

/**
 * The words of the demo world in texts of a site.
 * @param texts by path
 * @returns by path, those without such words apart
 */
export function foreignWords(texts: Readonly<Record<string, string>>): Record<string, string[]> {
	const found = Object.entries(texts).map(([path, text]): [string, string[]] => [
		path,
		[...new Set(text.match(demoWords) ?? [])]
	]);
	return Object.fromEntries(found.filter(([, words]) => words.length > 0));
}

/**
 * What users see of pages after their scripts ran, with the title, the names of elements, and what forms contain.
 * @param open opens the page of a path
 */
export async function shownTexts(
	page: Page,
	paths: readonly string[],
	open: (path: string) => Promise<unknown>
): Promise<Record<string, string>> {
	const texts: Record<string, string> = {};
	for (const path of paths) {
		await open(path);
		await hydrated(page);
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
		const names = await page.evaluate(() =>
			[...document.querySelectorAll('[alt], [aria-label], [title], [placeholder], input, textarea')].flatMap(
				(element) => [
					...['alt', 'aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
					element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type === 'text')
						? element.value
						: ''
				]
			)
		);
		texts[path] = [await page.title(), await page.locator('body').innerText(), ...names].join('\n');
	}
	return texts;
}
