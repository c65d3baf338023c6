import { pageActions, type SearchEntry } from '#features/shell/page-actions.ts';
import { allLessons } from './all-lessons.ts';

/**
 * All that search finds besides pages and commands: actions of pages, lessons and the documentation. The documentation is left
 * out if its index cannot be loaded.
 * @param home `AppLocation.home`
 * @param nameOf what the page at a path is called
 * @param shows whether the world has links to the page at a path
 */
export async function searchEntries(
	home: string,
	nameOf: (path: string) => string | undefined,
	shows: (path: string) => boolean
): Promise<readonly SearchEntry[]> {
	const lessons = allLessons.map(({ id, title, goal }) => ({
		group: 'Lessons',
		title,
		words: goal,
		href: `${home}/learn/${id}`
	}));
	const docs = await import('#features/docs/search-index.ts').then(
		({ docSearchEntries }) => docSearchEntries(home),
		() => []
	);
	const all = [...pageActions(home, nameOf), ...lessons, ...docs];
	return all.filter(({ href }) => shows(href.slice(home.length)));
}
