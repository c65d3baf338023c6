import { error } from '@sveltejs/kit';
import { docPages } from '#features/docs/doc-pages.ts';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import type { EntryGenerator, PageLoad } from './$types';

const first = 'overview';

export const entries: EntryGenerator = () => docPages.map(({ name }) => (name === first ? {} : { name }));

export const load: PageLoad = async ({ params }) => {
	const name = params.name ?? first;
	const page = params.name === first ? undefined : await loadDocPage(name);
	if (page === undefined) error(404, 'There is no such page in the documentation.');
	return { name, page };
};
