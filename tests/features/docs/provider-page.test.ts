import { expect, test } from 'vitest';
import type { ProviderFile } from '#api/providers/provider-file.ts';
import type { DocPage } from '#features/docs/doc-page.ts';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import { providerDocs } from '#features/docs/provider-docs.ts';
import { docSearchEntries } from '#features/docs/search-index.ts';

const files = import.meta.glob<ProviderFile>('../../../src/content/providers/*.yaml', {
	eager: true,
	import: 'default'
});
const providers = Object.entries(files)
	.map(([path, file]) => ({ name: path.replace(/^.*\/|\.yaml$/g, ''), file }))
	.filter(({ name }) => name !== 'specification' && name !== 'standard');

/** The text of a page, without its markup. */
function textOf({ blocks }: DocPage): string {
	const parts = blocks.flatMap((block) => {
		if (block.kind === 'table') return block.rows.flatMap(({ cells }) => cells);
		return block.kind === 'html' || block.kind === 'heading' ? [block.html] : block.kind === 'code' ? [block.code] : [];
	});
	const html = parts.join('\n').replaceAll(/<[^>]+>/g, '');
	return html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

test('each provider has a page, and the search finds it', () => {
	expect(providerDocs.map(({ name }) => name).toSorted()).toEqual(
		providers.map(({ name }) => `providers/${name}`).toSorted()
	);
	const found = docSearchEntries('').map(({ href }) => href);
	expect(found).toEqual(expect.arrayContaining(providers.map(({ name }) => `/docs/providers/${name}/`)));
});

test('URLs and facts can have a new line behind a sign, so that words stay whole on a phone', async () => {
	const page = await loadDocPage('providers/okta');
	const cells = (page?.blocks ?? []).flatMap((block) =>
		block.kind === 'table' && block.caption !== 'Unmodified clients' ? block.rows.flatMap((row) => row.cells) : []
	);
	const codes = cells.flatMap((cell) => [...cell.matchAll(/<code>(.*?)<\/code>/g)].map(([, code = '']) => code));
	expect(codes).toContain('https://<wbr>{org}.<wbr>okta.<wbr>com/<wbr>oauth2/<wbr>{default}/<wbr>v1/<wbr>token');
	const words = codes.flatMap((code) => code.split('<wbr>'));
	expect(words.filter((word) => /\w[/.,]\w/.test(word))).toEqual([]);
});

test.each(providers)('the page of $name has all that its file says', async ({ name, file }) => {
	const page = await loadDocPage(`providers/${name}`);
	if (page === undefined) throw new Error('There is no page.');
	const text = textOf(page);
	const { endpoints = [] } = file.dialect;
	const said = [
		...endpoints.map(({ url }) => url),
		...file.sources.map(({ title, kind, read }) => `${title}, ${kind} ${read}`),
		...file.surprises.flatMap(({ title, why, check, fact, expect: { status, contains = [] } }) => [
			...[title, why, check, fact, `status ${status}`],
			...contains
		]),
		...file.notSimulated
	];
	expect(said.filter((part) => !text.includes(part))).toEqual([]);
});

test('the page of a provider has its rows of the table of unmodified clients', async () => {
	const clientsOf = async (name: string) => {
		const { blocks = [] } = (await loadDocPage(`providers/${name}`)) ?? {};
		const clients = blocks.find((block) => block.kind === 'table' && block.caption === 'Unmodified clients');
		return clients?.kind === 'table' ? clients.rows.map(({ cells }) => cells[0]) : [];
	};
	expect(await clientsOf('apple')).toEqual([
		'<code>arctic</code>',
		'<code>openid-client</code>',
		'<code>@auth/core</code>',
		'<code>@nicokaiser/passport-apple</code>'
	]);
	expect(await clientsOf('okta')).toEqual(expect.arrayContaining(['<code>Authlib</code>', '<code>arctic</code>']));
});

test.each(['providers/unknown', 'providers/standard', 'unknown'])('there is no page %s', async (name) => {
	expect(await loadDocPage(name)).toBeUndefined();
});
