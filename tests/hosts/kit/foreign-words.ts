import { sitePages } from '#api/site.ts';
import { docPages } from '#features/docs/doc-pages.ts';

/** A world that shares no word with the demo world. */
export const foreignFile = 'tests/worlds/bank.json';

/** The pages that follow the world of a site. Each lesson says that it uses the demo world, as the documents about world files and about labs do. */
export const appPaths: readonly string[] = [
	...sitePages.filter(({ isOfService }) => isOfService !== true).map(({ path }) => path),
	...['/preset', '/share', '/join', '/moment', '/pause'],
	...['/learn/notes', '/learn/progress', '/learn/certificate', '/unknown']
];
/** Those that follow it in all that scripts show. The notes for instructors describe the lessons, which use the demo world. */
export const shownPaths = appPaths.filter((path) => path !== '/learn/notes');
export const docPaths: readonly string[] = docPages
	.filter(({ name }) => name !== 'world' && name !== 'attacks')
	.map(({ name }) => `/docs/${name === 'overview' ? '' : `${name}/`}`);
export const filePaths: readonly string[] = ['/openapi.json', '/llms.txt', '/skill.md', '/manifest.webmanifest'];

/** Responses of the service have the pattern of the specification, in quotes. Each page says what simulates it. */
const demoWords =
	/(?<!Simulated with |[\w-])Tollgate(?![\w-])|player-(?:one|two|three)|Mara(?: |%20)Vell|Tomas d|100% Orc|Character Viewer|character-viewer|viewer-secret|Pocket Companion|pocket-companion|companion-secret|character_read|(?<!"|&quot;)\/ws\/v2\.0\/character\/\*|player-four|Cartographer|The Long Road|(?:[Aa]|the|no|No|each|every|accounts,) characters?\b(?! (?:`|<code>)?a-z)/g;

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
