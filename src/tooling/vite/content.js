import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';

const content =
	/\/src\/content\/([\w-]+)\/([\w-]+)\.yaml(?:\?(about|title|dialect|notes|review|nearMisses|har|logged|mistakes))?$/;
/** The folders whose records code imports. */
const recordFolders = ['checks', 'rules', 'findings'];
/** What content is made of besides. */
const parts = /\/src\/content\/(?:labs|exercises)\//;
const rules = '/src/evidence/all-rules.ts';
const ruleIds = /\/src\/evidence\/all-rules\.ts\?ids$/;

/** @typedef {Pick<typeof import('./content-kinds.ts'), 'readContent'>} Kinds */
/** @typedef {Promise<{ module: Kinds, files: readonly string[] }>} Loading */

/** @typedef {{ read: import('./content-reader.ts').ReadContent, watched: readonly string[] }} ReadFile what was read of a file, and of which files */
/** @typedef {{ loading: Map<string, Loading>, filesRead: Map<string, ReadFile> }} Kept */

/**
 * What reads each kind of files, by its module, and what it has read. A build imports modules of the project several times, each with
 * its own plugin, and has a file in the server, in the pages and in several parts.
 * @type {WeakMap<Function, Kept>}
 */
const known = new WeakMap();
/** @typedef {Pick<typeof import('../../evidence/all-rules.ts'), 'allRules'>} Rules */

/**
 * Vite's plugin for the files of `src/content`: a YAML file imports as what learners get, with `?notes` as what its instructors get
 * besides, with `?review`, `?nearMisses`, `?har` and others as such a part, with `?about` as what a list needs of it, with `?title` as its title,
 * and with `?dialect` as what the service needs of a provider. It is
 * checked here, so pages have no parser and no declaration of it. The ids of the rules of the exam are loaded in the same way. Plain JavaScript, because build scripts use it too.
 * @param {string} root the project's folder
 * @param {(root: string, file: string) => Promise<{ module: any, files: readonly string[] }>} importSource
 * @returns {import('vite').Plugin}
 */
export function contentFiles(root, importSource) {
	/** @type {Kept} */
	const kept = known.get(importSource) ?? { loading: new Map(), filesRead: new Map() };
	known.set(importSource, kept);
	const { loading, filesRead } = kept;
	return {
		name: 'tollgate-content',
		enforce: 'pre',
		watchChange(id) {
			filesRead.clear();
			if (!content.test(id) && !parts.test(id)) loading.clear();
		},
		load: {
			filter: { id: [content, ruleIds] },
			async handler(id) {
				const [path = id] = id.split('?');
				this.addWatchFile(path);
				if (ruleIds.test(id)) {
					/** @type {{ module: Rules, files: readonly string[] }} */
					const { module, files } = await importSource(root, rules);
					for (const file of files) this.addWatchFile(file);
					return exported(module.allRules.map((rule) => rule.id));
				}
				const [, folder = '', name = '', part] = content.exec(id) ?? [];
				// The service needs no more. The build of the pages checks the file.
				if (part === 'title') {
					/** @type {{ readonly title: string }} */
					const { title } = parse(readFileSync(path, 'utf8'));
					return exported(title);
				}
				if (part === 'dialect') {
					return exported(servedPart(parseProvider(path)));
				}
				const kinds = `src/tooling/vite/content-${recordFolders.includes(folder) ? 'records' : 'kinds'}.ts`;
				/** @type {Loading} */
				const reading = loading.get(kinds) ?? importSource(root, kinds);
				loading.set(kinds, reading);
				const { module, files } = await reading;
				const { read, watched } = filesRead.get(path) ?? readFile(module, path, folder, name);
				filesRead.set(path, { read, watched });
				for (const file of [...files, ...watched]) this.addWatchFile(file);
				if ('mistakes' in read) {
					const [{ line, file }] = read.mistakes;
					const place = file === undefined ? path : join(dirname(path), file);
					return this.error({
						message: read.mistakes.map((one) => mistakeText(path, one)).join('\n'),
						id: path,
						loc: { file: place, line, column: 0 },
						frame: readFileSync(place, 'utf8').split('\n')[line - 1] ?? ''
					});
				}
				if (part === 'about') return exported(read.about);
				return exported(part === undefined ? read.content : Reflect.get(read.apart, part));
			}
		}
	};
}

/**
 * What the service needs of the files of all providers, by name.
 * @param {string} folder
 * @returns {import('#service/provider/provider-files.ts').ProviderFiles}
 */
export function readProviders(folder) {
	const files = readdirSync(folder).map((name) => /** @type {const} */ ([name, parseProvider(join(folder, name))]));
	return Object.fromEntries(
		files.flatMap(([name, file]) => (file.extends === undefined ? [] : [[basename(name, '.yaml'), servedPart(file)]]))
	);
}

/**
 * @param {string} path
 * @returns {import('#api/providers/provider-file.ts').ProviderFile}
 */
const parseProvider = (path) => parse(readFileSync(path, 'utf8'));

/**
 * What the service needs of the file of a provider.
 * @param {import('#api/providers/provider-file.ts').ProviderFile} file
 */
function servedPart({ short, version, dialect, surprises }) {
	// They name the lines that the trace has of a provider, and no others.
	const lines = surprises.flatMap(({ title, fact, check }) =>
		check.startsWith('provider.') ? { title, fact, check } : []
	);
	return { short, version, dialect, surprises: lines };
}

/**
 * @param {Kinds} module
 * @param {string} path
 * @param {string} folder
 * @param {string} name
 * @returns {ReadFile}
 */
function readFile(module, path, folder, name) {
	/** @type {string[]} */
	const watched = [];
	const read = module.readContent(folder, name, {
		read: (one) => {
			const file = join(dirname(path), one);
			watched.push(file);
			return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
		},
		ids: readdirSync(dirname(path)).flatMap((one) => (one.endsWith('.yaml') ? basename(one, '.yaml') : []))
	});
	return { read, watched };
}

/** @param {unknown} value */
const exported = (value) => `export default ${JSON.stringify(value)};`;

/** @param {string} path @param {import('./content-reader.ts').ContentMistake} mistake */
const mistakeText = (path, { line, place, reason, file = basename(path) }) =>
	`${file}, line ${line}${place === '' ? '' : `, ${place}`}: ${reason}`;
