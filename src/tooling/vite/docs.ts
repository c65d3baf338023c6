import type * as docsSources from './docs-sources.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { DocOperation } from '#features/docs/doc-page.ts';
import { importSource } from '../import-source.js';
import { compileMarkdown } from './compile-markdown.ts';
import type { Operation } from '#service/openapi/operations.ts';

/** A part that is made of the sources. */
const isGenerated = /^<!-- /m;
const content = /\/src\/content\/docs\/([\w-]+)\.md(\?index)?$/;

/**
 * Vite's plugin for the documentation: a Markdown file imports as a compiled `DocPage`, and with `?index` as what the search
 * index lists of it. The Markdown compiler and the OpenAPI document stay out of the browser.
 * @param root the project's folder
 */
export function docs(root: string): Plugin {
	let loading: Promise<{ module: typeof docsSources; files: readonly string[] }> | undefined;
	const load = () => (loading ??= importSource(root, 'src/tooling/vite/docs-sources.ts'));
	return {
		name: 'tollgate-docs',
		enforce: 'pre',
		watchChange: () => void (loading = undefined),
		load: {
			filter: { id: content },
			async handler(id) {
				const [path = id, query] = id.split('?');
				const readFile = (file: string) => {
					this.addWatchFile(join(root, file));
					return readFileSync(join(root, file), 'utf8');
				};
				this.addWatchFile(path);
				let source = readFileSync(path, 'utf8');
				let operations = (_: string): readonly DocOperation[] => [];
				if (isGenerated.test(source)) {
					const { module, files } = await load();
					for (const file of files) this.addWatchFile(file);
					for (const [mark, table] of Object.entries(module.tables)) {
						if (source.includes(mark)) source = source.replace(mark, table);
					}
					if (hasEndpointTables(source)) source = withEndpointTables(source, module.controlOperations);
					operations = (tag) => module.operationsOf(module.openApi, tag);
				}
				const { page, entries } = compileMarkdown(source, readFile, operations);
				return `export default ${JSON.stringify(query === 'index' ? entries : page)};`;
			}
		}
	};
}

const mark = /^<!-- endpoints: (.+) -->$/gm;

type Endpoint = Pick<Operation, 'method' | 'path' | 'description' | 'access'>;

/** Whether a page has tables of endpoints. */
export function hasEndpointTables(source: string): boolean {
	return source.search(mark) >= 0;
}

/**
 * Puts tables of the control API in place of `<!-- endpoints: clock events -->`, which names the first segments below `/control/`.
 * @param source Markdown
 * @param endpoints all endpoints of the control API
 * @throws {Error} where a mark names no endpoint, or an endpoint has no description, or is in no table or in two
 */
export function withEndpointTables(source: string, endpoints: readonly Endpoint[]): string {
	const missing = new Set(endpoints);
	const rowsOf = (group: string) => {
		const found = [...missing].filter(({ path }) => path.split('/')[2] === group);
		if (found.length === 0) throw new Error(`No endpoint is left for the table “${group}”.`);
		for (const endpoint of found) missing.delete(endpoint);
		return found.map(rowOf);
	};
	const written = source.replace(mark, (_, groups: string) =>
		['| Request | Effect |', '| --- | --- |', ...groups.split(' ').flatMap(rowsOf)].join('\n')
	);
	const [left] = missing;
	if (left !== undefined) throw new Error(`No table has ${left.method} ${left.path}.`);
	return written;
}

function rowOf({ method, path, description, access }: Endpoint): string {
	if (description === undefined) throw new Error(`${method} ${path} needs a description for its table.`);
	const effect = access === 'everybody' ? `${description} Needs no key.` : description;
	return `| \`${method} ${path}\` | ${effect.replaceAll('|', '\\|')} |`;
}
