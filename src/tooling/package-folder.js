// The npm package as a folder. `npm run package` packs it, and the Dockerfile copies it.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What it has besides its package.json. */
const contents = ['README.md', 'LICENSE', 'build/host', 'build/kit', 'build/library', 'build/static-template'];

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
	'dependencies',
	'peerDependencies',
	'peerDependenciesMeta'
];

/**
 * Writes the package to a folder, without source maps.
 * @param {string} root the project's folder, with all builds of the package
 * @param {string} to the folder. It is deleted first
 * @throws {NodeJS.ErrnoException} where a build is missing or the folder cannot be written
 */
export function writePackage(root, to) {
	rmSync(to, { recursive: true, force: true });
	mkdirSync(to, { recursive: true });
	/** @type {Record<string, unknown>} */
	const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const published = Object.fromEntries(fields.map((field) => [field, about[field]]));
	writeFileSync(join(to, 'package.json'), `${JSON.stringify(published, undefined, '\t')}\n`);
	const filter = (/** @type {string} */ path) => !path.endsWith('.map');
	for (const path of contents) cpSync(join(root, path), join(to, path), { recursive: true, filter });
}
