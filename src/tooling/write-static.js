// Writes the static build for a path. Plain JavaScript: `npm run build:static` and the package both run it.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The base path in the files that Vite builds. Each copy of them has its own in its place. */
export const basePlaceholder = '/__tollgate_base__';

const textFiles = new Set(['.html', '.js', '.css', '.json', '.webmanifest']);

/**
 * Checks the path that a site is served below.
 * @param {string} value such as `demo`, `/demo/` or empty
 * @returns {string} empty, or with a leading slash and without a trailing one
 * @throws {RangeError} where it is not a path
 */
export function basePath(value) {
	const path = value.replace(/^\/|\/$/g, '');
	if (path === '') return '';
	const isPath = path.split('/').every((part) => /^[\w~-][\w.~-]*$/.test(part));
	if (!isPath) throw new RangeError(`The base path is "${value}". Use letters, digits and hyphens, for example /demo.`);
	return `/${path}`;
}

/**
 * Copies the built static files to a folder, for a base path.
 * @param {string} from the folder of the build
 * @param {string} to is made where it does not exist. Files with the same name are replaced
 * @param {string} base as `basePath` returns it
 * @throws {NodeJS.ErrnoException} where the folder cannot be written
 */
export function writeStatic(from, to, base) {
	cpSync(from, to, { recursive: true });
	for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
		if (!textFiles.has(extname(name))) continue;
		const text = readFileSync(join(from, name), 'utf8');
		if (text.includes(basePlaceholder)) writeFileSync(join(to, name), rebase(text, base));
	}
}

/**
 * Sets the base path in a file. The policy of a page has hashes of its scripts, which contain the path.
 * @param {string} text
 * @param {string} base
 */
function rebase(text, base) {
	let result = text.replaceAll(basePlaceholder, base);
	for (const [, script = ''] of text.matchAll(/<script[^>]*>([^]*?)<\/script>/g)) {
		if (!script.includes(basePlaceholder)) continue;
		result = result.replaceAll(hashOf(script), hashOf(script.replaceAll(basePlaceholder, base)));
	}
	return result;
}

/** @param {string} script */
function hashOf(script) {
	return createHash('sha256').update(script).digest('base64');
}
