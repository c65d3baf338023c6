import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { compileMarkdown } from './compile-markdown.ts';

const content = /\/src\/ui\/docs\/content\/([\w-]+)\.md(\?index)?$/;

/**
 * Vite's plugin for the documentation: a Markdown file imports as a compiled `DocPage`, and with `?index` as what the search
 * index lists of it. The Markdown compiler stays out of the browser.
 * @param root the project's folder
 */
export function docs(root: string): Plugin {
	return {
		name: 'tollgate-docs',
		enforce: 'pre',
		load: {
			filter: { id: content },
			handler(id) {
				const [path = id, query] = id.split('?');
				const readFile = (file: string) => {
					this.addWatchFile(join(root, file));
					return readFileSync(join(root, file), 'utf8');
				};
				this.addWatchFile(path);
				const { page, entries } = compileMarkdown(readFileSync(path, 'utf8'), readFile);
				return `export default ${JSON.stringify(query === 'index' ? entries : page)};`;
			}
		}
	};
}
