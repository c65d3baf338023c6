import { isDialectName, spokenTitles } from '#api/dialect.ts';
import { docPages, type DocLink } from './doc-pages.ts';

/** The page that the pages of providers follow. */
export const providersPage = 'providers';

/** One page for each simulated provider, made of its file. */
export const providerDocs: readonly DocLink[] = Object.entries(spokenTitles)
	.filter(([name]) => !isDialectName(name))
	.map(([name, label]) => ({ name: `${providersPage}/${name}`, label }));

/** All pages in reading order. */
export const allDocs: readonly DocLink[] = docPages.flatMap((page) =>
	page.name === providersPage ? [page, ...providerDocs] : page
);
