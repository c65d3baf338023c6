import { error } from '@sveltejs/kit';
import { isDialectName, spokenTitles } from '#api/dialect.ts';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import type { EntryGenerator, PageLoad } from './$types';

const isProvider = (name: string) => Object.hasOwn(spokenTitles, name) && !isDialectName(name);

export const entries: EntryGenerator = () =>
	Object.keys(spokenTitles)
		.filter(isProvider)
		.map((provider) => ({ provider }));

export const load: PageLoad = async ({ params: { provider } }) => {
	const name = `providers/${provider}`;
	const page = isProvider(provider) ? await loadDocPage(name) : undefined;
	if (page === undefined) error(404, 'There is no such page in the documentation.');
	return { name, page };
};
