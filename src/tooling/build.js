// `npm run build` and `npm run build:static`: builds pages and server, or the files that need none, also where the sources have not
// changed.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildError, build, staticFiles } from './ensure-build.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const what = process.argv[2] === 'static' ? staticFiles(process.env.TOLLGATE_BASE ?? '') : undefined;

try {
	await build(root, (line) => console.log(line), what);
} catch (error) {
	if (!(error instanceof BuildError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
