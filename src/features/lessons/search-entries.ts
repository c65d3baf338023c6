import { docSearchEntries, type SearchEntry } from '../docs/search-index.ts';
import { pageActions } from '../shell/page-actions.ts';
import { allLessons } from './all-lessons.ts';

/**
 * All that search finds besides pages and commands: actions of pages, lessons and the documentation.
 * @param home `AppLocation.home`
 * @param nameOf what the page at a path is called
 */
export function searchEntries(home: string, nameOf: (path: string) => string | undefined): readonly SearchEntry[] {
	const lessons = allLessons.map(({ id, title, goal }) => ({
		...{ group: 'Lessons', title, words: goal, href: `${home}/learn/${id}` }
	}));
	return [...pageActions(home, nameOf), ...lessons, ...docSearchEntries(home)];
}
