// `npm run build`, `npm run build:static` and `npm run build:lib`: builds even where no source has changed. `npm pack` builds what is missing.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildError, application, build, copyStatic, ensureBuilt, library, staticTemplate } from './ensure-build.js';
import { basePath } from './write-static.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const log = (/** @type {string} */ line) => console.log(line);
const what = process.argv[2];

try {
	if (what === 'static') {
		const base = basePath(process.env.TOLLGATE_BASE ?? '');
		await build(root, log, staticTemplate);
		await copyStatic(root, base, 'build/static');
	} else if (what === 'package') {
		for (const part of [application, library, staticTemplate]) await ensureBuilt(root, log, part);
	} else await build(root, log, what === 'library' ? library : application);
} catch (error) {
	if (!(error instanceof BuildError || error instanceof RangeError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
