import { error } from '@sveltejs/kit';
import { firstDocPage } from '#features/docs/doc-names.ts';
import { docPages } from '#features/docs/doc-pages.ts';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import type { EntryGenerator, PageLoad } from './$types';

export const entries: EntryGenerator = () => docPages.map(({ name }) => (name === firstDocPage ? {} : { name }));

export const load: PageLoad = async ({ params }) => {
	const name = params.name ?? firstDocPage;
	const page = params.name === firstDocPage ? undefined : await loadDocPage(name);
	if (page === undefined) error(404, 'There is no such page in the documentation.');
	return { name, page };
};
