// `npm run build`, `npm run build:static` and `npm run build:lib`: builds even where no source has changed. `npm run package` builds what is missing.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressFolder, quality } from './compress-folder.js';
import { BuildError, application, build, copyStatic, ensureBuilt, library, staticTemplate } from './ensure-build.js';
import { importSource } from './import-source.js';
import { writePackage } from './package-folder.js';
import { basePath, originOf } from './write-static.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const log = (/** @type {string} */ line) => console.log(line);
const [what, ...rest] = process.argv.slice(2);

try {
	if (rest.length > 0)
		throw new BuildError(
			`The build does not take ${rest.join(' ')}. Set TOLLGATE_BASE, TOLLGATE_WORLD and LESSONS for the static files.`
		);
	if (what === 'static') {
		const place = process.env.TOLLGATE_BASE ?? '';
		const base = basePath(place);
		const world = await packedWorld(process.env.TOLLGATE_WORLD);
		const lessons = await packedLessons();
		await build(root, log, staticTemplate);
		await copyStatic(root, base, 'build/static', world, originOf(place), lessons);
		log(
			`Wrote the static files to build/static. Serve them over HTTPS${base === '' ? '' : ` below ${base}`}, with 404.html for unknown paths.`
		);
	} else if (what === 'package') {
		for (const part of [application, library, staticTemplate]) await ensureBuilt(root, log, part);
		await compressFolder(join(root, 'build/kit/client'), quality.best);
		writePackage(root, join(root, 'build/package'));
	} else await build(root, log, what === 'library' ? library : application);
} catch (error) {
	if (!(error instanceof BuildError || error instanceof RangeError || isFileError(error))) throw error;
	console.error(error.message);
	process.exitCode = 1;
}

/**
 * The world of the static build: `TOLLGATE_WORLD` names its file.
 * @param {string | undefined} path
 */
async function packedWorld(path) {
	if (!path) return undefined;
	/** @type {{ module: typeof import('../hosts/world-file.server.ts') }} */
	const { module } = await importSource(root, 'src/hosts/world-file.server.ts');
	return module.packWorldFile(path);
}

/** The exercises of instructors in the static build: `LESSONS` names their files. */
async function packedLessons() {
	if (!process.env.LESSONS) return undefined;
	/** @type {{ module: typeof import('../hosts/lesson-files.server.ts') }} */
	const { module } = await importSource(root, 'src/hosts/lesson-files.server.ts');
	return module.siteLessons(module.readLessons(process.env, process.cwd()) ?? []);
}

/**
 * @param {unknown} error of the modules that were bundled
 * @returns {error is Error}
 */
function isFileError(error) {
	return error instanceof Error && ['WorldError', 'ConfigError'].includes(error.name);
}
