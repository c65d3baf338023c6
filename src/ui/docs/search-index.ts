import type { DocEntry } from './doc-page.ts';
import { docHref, docPages } from './doc-pages.ts';

/** A place in the documentation, with its address. */
export type DocSearchEntry = Omit<DocEntry, 'anchor'> & { readonly href: string };

const modules = import.meta.glob<readonly DocEntry[]>('./content/*.md', {
	query: '?index',
	import: 'default',
	eager: true
});

/**
 * Pages, sections of the specification, error codes, settings, control calls and decisions, in reading order.
 * @param home `AppLocation.home`
 */
export function docSearchEntries(home: string): DocSearchEntry[] {
	return docPages.flatMap(({ name }) =>
		(modules[`./content/${name}.md`] ?? []).map(({ group, title, anchor }) => ({
			group,
			title,
			href: `${docHref(home, name)}${anchor === '' ? '' : `#${anchor}`}`
		}))
	);
}
