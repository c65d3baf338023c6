import { error } from '@sveltejs/kit';
import { firstDocPage } from '#features/docs/doc-names.ts';
import { allDocs } from '#features/docs/provider-docs.ts';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import type { EntryGenerator, PageLoad } from './$types';

export const entries: EntryGenerator = () =>
	allDocs.map(({ name: path }) => {
		const [name, provider] = path.split('/');
		return path === firstDocPage ? {} : { name, ...(provider !== undefined && { provider }) };
	});

export const load: PageLoad = async ({ params: { name: first = '', provider } }) => {
	const name = provider === undefined ? first : `${first}/${provider}`;
	// The first page has an address without its name.
	const isPage = name === '' || (name !== firstDocPage && allDocs.some((one) => one.name === name));
	const page = isPage ? await loadDocPage(name || firstDocPage) : undefined;
	if (page === undefined) error(404, 'There is no such page in the documentation.');
	return { name: name || firstDocPage, page };
};
