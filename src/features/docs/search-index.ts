import type { SearchEntry } from '../shell/page-actions.ts';
import type { DocEntry } from './doc-page.ts';
import { docHref, docPages } from './doc-pages.ts';
import { providerDocs } from './provider-docs.ts';

const modules = import.meta.glob<readonly DocEntry[]>('../../content/docs/*.md', {
	query: '?index',
	import: 'default',
	eager: true
});

/**
 * Pages, sections, error codes, settings, requests of the control API and decisions, in reading order.
 * @param home `AppLocation.home`
 */
export function docSearchEntries(home: string): SearchEntry[] {
	const providers = providerDocs.map(({ name, label }) => ({
		group: 'Documentation',
		title: label,
		href: docHref(home, name)
	}));
	return docPages
		.flatMap(({ name }) =>
			(modules[`../../content/docs/${name}.md`] ?? []).map(({ anchor, ...entry }) => ({
				...entry,
				href: `${docHref(home, name)}${anchor === '' ? '' : `#${anchor}`}`
			}))
		)
		.concat(providers);
}
