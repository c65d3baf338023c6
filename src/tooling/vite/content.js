import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const content = /\/src\/content\/([\w-]+)\/[\w-]+\.yaml(?:\?(about|title|notes|review))?$/;
const titled = /\/about\.ts\?title$/;

/** @typedef {{ readContent: (folder: string, text: string) => import('./content-kinds.ts').ReadContent }} Kinds */

/**
 * Vite's plugin for the files of `src/content`: a YAML file imports as what learners get, with `?notes` as what its instructors get
 * besides, with `?review` as the questions that later ones ask, with `?about` as what a list needs of it, and with `?title` as its title. It
 * is checked here, so pages have no parser and no declaration of it. Plain JavaScript, because build scripts use it too.
 * @param {string} root the project's folder
 * @param {(root: string, file: string) => Promise<{ module: any, files: readonly string[] }>} importSource
 * @returns {import('vite').Plugin}
 */
export function contentFiles(root, importSource) {
	/** @type {Promise<{ module: Kinds, files: readonly string[] }> | undefined} */
	let loading;
	return {
		name: 'tollgate-content',
		enforce: 'pre',
		watchChange(id) {
			if (!content.test(id)) loading = undefined;
		},
		load: {
			filter: { id: [content, titled] },
			async handler(id) {
				const [path = id] = id.split('?');
				const text = readFileSync(path, 'utf8');
				if (titled.test(id)) {
					// The id of an exercise or a lab is the name of its folder. Its title is all that the service needs.
					const title = /^\ttitle: '(.+)',$/m.exec(text)?.[1];
					return title === undefined ? this.error(`${path}: found no title, expected title: '…'.`) : exported(title);
				}
				const [, folder = '', part] = content.exec(id) ?? [];
				loading ??= importSource(root, 'src/tooling/vite/content-kinds.ts');
				const { module, files } = await loading;
				for (const file of [path, ...files]) this.addWatchFile(file);
				const read = module.readContent(folder, text);
				if ('mistakes' in read) {
					const [{ line }] = read.mistakes;
					return this.error({
						message: read.mistakes.map((one) => mistakeText(path, one)).join('\n'),
						id: path,
						loc: { file: path, line, column: 0 },
						frame: text.split('\n')[line - 1] ?? ''
					});
				}
				if (part === 'title') return exported(Reflect.get(read.about, 'title'));
				if (part === 'about') return exported(read.about);
				return exported(part === undefined ? read.content : Reflect.get(read.apart, part));
			}
		}
	};
}

/** @param {unknown} value */
const exported = (value) => `export default ${JSON.stringify(value)};`;

/** @param {string} path @param {import('./content-kinds.ts').ContentMistake} mistake */
const mistakeText = (path, { line, place, reason }) =>
	`${basename(path)}, line ${line}${place === '' ? '' : `, ${place}`}: ${reason}`;
