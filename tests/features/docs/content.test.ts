import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isServicePath } from '#api/service-path.ts';
import { allTestCards } from '#service/sandbox/test-card-list.ts';
import { allLabs } from '#course/labs/labs.ts';
import { docHref, docPages } from '#features/docs/doc-pages.ts';
import { allDocs } from '#features/docs/provider-docs.ts';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import { docSearchEntries } from '#features/docs/search-index.ts';
import type { DocPage } from '#features/docs/doc-page.ts';

const root = join(import.meta.dirname, '../../..');

const pages = new Map<string, DocPage>();
for (const { name } of allDocs) {
	const page = await loadDocPage(name);
	if (page === undefined) throw new Error(`There is no page ${name}.`);
	pages.set(name, page);
}

/** All anchors of a page. */
function anchorsOf(name: string): string[] {
	return (pages.get(name)?.blocks ?? []).flatMap((block) => {
		if (block.kind === 'heading') return [block.id];
		if (block.kind === 'operation') return [block.operation.id];
		return block.kind === 'table' ? block.rows.flatMap(({ id }) => id ?? []) : [];
	});
}

test('every Markdown file is a page of the navigation', () => {
	const files = readdirSync(join(root, 'src/content/docs')).map((file) => file.replace(/\.md$/, ''));
	expect(files.sort()).toEqual(docPages.map(({ name }) => name).sort());
});

test.each(['api', 'control-reference'])(
	'the reference %s has text, headings and operations only, so one template shows all operations',
	(name) => {
		const kinds = pages.get(name)?.blocks.map(({ kind }) => kind);
		expect([...new Set(kinds)].sort()).toEqual(['heading', 'html', 'operation']);
	}
);

describe('links', () => {
	const places = new Set(
		[...pages.keys()].flatMap((name) => {
			const href = docHref('', name);
			return [href, ...anchorsOf(name).map((anchor) => `${href}#${anchor}`)];
		})
	);
	places.add('/openapi.json').add('/world.schema.json').add('/partner-world.json');
	for (const { id } of allLabs) places.add(`/labs/${id}`);
	const files = readdirSync(join(root, 'src/routes'), { recursive: true }).map(String);

	test.each([...pages])('%s links to pages and anchors that exist', (_, page) => {
		const links = [...JSON.stringify(page).matchAll(/href=\\"%home%(.*?)(?:\?.*?)?\\"/g)].map(([, path = '']) => path);
		const missing = links.filter(
			(path) => !places.has(path) && !isServicePath(path) && !files.includes(join(path.slice(1), '+page.svelte'))
		);
		expect(missing).toEqual([]);
	});

	test.each([...pages])('%s has no link within a link', (_, page) => {
		expect(JSON.stringify(page)).not.toMatch(/<a (?:(?!<\/a>).)*<a /);
	});

	test('every search entry points to a page or anchor that exists, below the home path', () => {
		const hrefs = docSearchEntries('/demo/~abc').map(({ href }) => href);
		expect(hrefs.filter((href) => !places.has(href.replace(/^\/demo\/~abc/, '')))).toEqual([]);
		expect(new Set(hrefs).size).toBe(hrefs.length);
	});

	test('every section that the program names has an anchor', () => {
		const anchors = new Set(anchorsOf('specification'));
		const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && /\.(ts|svelte)$/.test(entry.name))
			.map((entry) => join(entry.parentPath, entry.name));
		const named = files.flatMap((file) =>
			[
				...readFileSync(file, 'utf8').matchAll(
					/(?<!version: )'([1-9](?:\.[1-9])?)'|(?<!(?:RFC \d+|CIMD),? )(?:section |§ ?)([1-9](?:\.[1-9])?)(?![\d.]*\d)/g
				)
			].map(([, quoted, written]) => `section-${String(quoted ?? written).replace('.', '-')}`)
		);
		expect(new Set(named).size).toBeGreaterThan(15);
		expect([...new Set(named)].filter((anchor) => !anchors.has(anchor))).toEqual([]);
	});
});

test('the test cards are documented, and no others', () => {
	const cells = pages
		.get('testing')
		?.blocks.flatMap((block) =>
			block.kind === 'table' && block.caption === 'Test cards' ? block.rows.map((row) => row.cells[0]) : []
		);
	expect(cells).toEqual(allTestCards.map(({ name }) => `<code>${name}</code>`));
});
