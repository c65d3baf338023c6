// A folder as one compressed file. Plain JavaScript: the build and the package both run it.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Pages repeat each other, so the window must be larger than a page. */
const params = {
	[constants.BROTLI_PARAM_QUALITY]: 9,
	[constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS
};

/**
 * Compresses the files of a folder: a line of JSON with their paths and lengths, then their contents.
 * @param {string} folder
 * @returns {Buffer}
 * @throws {NodeJS.ErrnoException} where it cannot be read
 */
export function packFolder(folder) {
	const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const paths = found.map(({ parentPath, name }) => join(parentPath, name)).sort();
	const contents = paths.map((path) => readFileSync(path));
	const list = contents.map(({ length }, index) => {
		const path = paths[index] ?? '';
		return [path.slice(join(folder, '/').length).replaceAll('\\', '/'), length];
	});
	return brotliCompressSync(Buffer.concat([Buffer.from(`${JSON.stringify(list)}\n`), ...contents]), { params });
}

/**
 * Writes the files of an archive to a folder.
 * @param {Uint8Array} archive as `packFolder` returns it
 * @param {string} folder is created if it does not exist. Files with the same name are replaced
 * @throws {NodeJS.ErrnoException} where the folder cannot be written
 */
export function unpackFolder(archive, folder) {
	const bytes = brotliDecompressSync(archive);
	let at = bytes.indexOf('\n') + 1;
	/** @type {[string, number][]} */
	const list = JSON.parse(bytes.toString('utf8', 0, at));
	for (const [path, length] of list) {
		const to = join(folder, path);
		mkdirSync(dirname(to), { recursive: true });
		writeFileSync(to, bytes.subarray(at, at + length));
		at += length;
	}
}
