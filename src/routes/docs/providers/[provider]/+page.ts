import { error } from '@sveltejs/kit';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import { providerDocs, providersPage } from '#features/docs/provider-docs.ts';
import type { EntryGenerator, PageLoad } from './$types';

export const entries: EntryGenerator = () =>
	providerDocs.map(({ name }) => ({ provider: name.slice(providersPage.length + 1) }));

export const load: PageLoad = async ({ params }) => {
	const name = `${providersPage}/${params.provider}`;
	const isPage = providerDocs.some((one) => one.name === name);
	const page = isPage ? await loadDocPage(name) : undefined;
	if (page === undefined) error(404, 'There is no such page in the documentation.');
	return { name, page };
};
