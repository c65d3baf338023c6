// `npm run build`, `npm run build:static` and `npm run build:lib`: builds even where no source has changed.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildError, application, build, library, staticFiles } from './ensure-build.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const builds = new Map([
	['application', application],
	['library', library],
	['static', staticFiles(process.env.TOLLGATE_BASE ?? '')]
]);

try {
	await build(root, (line) => console.log(line), builds.get(process.argv[2] ?? '') ?? application);
} catch (error) {
	if (!(error instanceof BuildError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
