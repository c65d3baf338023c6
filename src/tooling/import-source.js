import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { contentFiles } from './vite/content.js';

/**
 * Imports a TypeScript module of this project, with all that it imports. They are bundled first: Node 20 cannot read them, and the
 * module runner of Vite fails where a module takes longer than a minute, as on a busy machine.
 * @template Module
 * @param {string} root the project's folder
 * @param {string} file relative to the root
 * @returns {Promise<{ module: Module, files: readonly string[] }>} `files` are the paths of its sources
 */
export async function importSource(root, file) {
	const result = await build({
		root,
		configFile: false,
		logLevel: 'error',
		publicDir: false,
		plugins: [contentFiles(root, importSource)],
		build: {
			ssr: join(root, file),
			write: false,
			target: 'node20',
			rolldownOptions: { output: { codeSplitting: false } }
		}
	});
	const [chunk] = 'output' in result ? result.output : [];
	if (chunk === undefined) throw new Error(`${file} was not bundled.`);
	// Below `node_modules`, where its packages are found.
	const folder = join(root, 'node_modules/.cache/tollgate');
	const bundle = join(folder, `${randomUUID()}.mjs`);
	mkdirSync(folder, { recursive: true });
	writeFileSync(bundle, chunk.code);
	try {
		/** @type {Module} */
		const module = await import(pathToFileURL(bundle).href);
		// A module of the bundler has no file.
		return { module, files: chunk.moduleIds.filter((id) => !id.startsWith('\0')) };
	} finally {
		rmSync(bundle);
	}
}
