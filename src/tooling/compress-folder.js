import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

/**
 * Writes a copy in Brotli beside each text of a folder.
 * @param {string} folder
 */
export async function compressFolder(folder) {
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const paths = names.filter((name) => /\.(?:js|css|json|svg)$/.test(name)).map((name) => join(folder, name));
	await Promise.all(
		paths.map(async (path) => writeFileSync(`${path}.br`, await promisify(brotliCompress)(readFileSync(path))))
	);
}
