// The npm package as a folder. `npm run package` packs it, and the Dockerfile copies it.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync } from 'vite';
import { packFolder } from './folder-archive.js';

/** What it has besides its package.json. */
const contents = ['README.md', 'LICENSE', 'build/host', 'build/kit', 'build/library'];

/** The files of the build without a server, as one file: `tollgate static` writes them. */
const staticArchive = 'build/static-template.br';

/** The code that no browser gets and no user imports. The other builds are minified or meant to be read. */
const serverCode = ['build/host', 'build/kit/server'];

/** What its code imports that is not bundled: a package with native code. */
const externals = ['classic-level'];

/** What package.json says to its users. The other fields are for the development. */
const fields = [
	'name',
	'version',
	'description',
	'license',
	'private',
	'type',
	'engines',
	'exports',
	'bin',
	'peerDependencies',
	'peerDependenciesMeta'
];

/**
 * Writes the package to a folder: with minified server code, and with pages in Brotli only.
 * @param {string} root the project's folder, with all builds of the package
 * @param {string} to the folder. It is deleted first
 * @throws {NodeJS.ErrnoException} where a build is missing or the folder cannot be written
 */
export function writePackage(root, to) {
	rmSync(to, { recursive: true, force: true });
	mkdirSync(to, { recursive: true });
	/** @type {Record<string, unknown> & { dependencies: Record<string, string> }} */
	const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const dependencies = Object.fromEntries(externals.map((name) => [name, about.dependencies[name]]));
	const published = { ...Object.fromEntries(fields.map((field) => [field, about[field]])), dependencies };
	writeFileSync(join(to, 'package.json'), `${JSON.stringify(published, undefined, '\t')}\n`);
	const immutable = join(root, 'build/kit/client/_app/immutable');
	/** The server decompresses what it serves from memory. @param {string} path */
	const filter = (path) => !(path.startsWith(immutable) && existsSync(`${path}.br`));
	for (const path of contents) cpSync(join(root, path), join(to, path), { recursive: true, filter });
	for (const path of serverCode) minifyFolder(join(to, path));
	writeFileSync(join(to, staticArchive), packFolder(join(root, 'build/static-template')));
}

/** @param {string} folder */
function minifyFolder(folder) {
	for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
		if (!name.endsWith('.js')) continue;
		const path = join(folder, name);
		// Functions and classes keep their names for error messages.
		const options = {
			module: true,
			compress: { keepNames: { function: true, class: true } },
			mangle: { keepNames: true }
		};
		const { code, errors } = minifySync(path, readFileSync(path, 'utf8'), options);
		if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
		writeFileSync(path, code);
	}
}
