import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { readLessonFiles, siteLessons } from '#hosts/lesson-files.server.ts';
import { packWorldFile, type PackedWorld } from '#hosts/world-file.server.ts';
import { WorldError } from '#service/world/world-mistakes.ts';
import { unpackFolder } from '../folder-archive.js';
import { basePath, originOf, writeStatic } from '../write-static.js';

/** A folder cannot be written. Its message is for the user who named it. */
export class WriteError extends Error {
	override name = 'WriteError';
}

/**
 * Writes the static build to a folder.
 * @param archive the file with the build
 * @param folder a new or empty one, relative to the working folder
 * @param base the URL of the site, or the path that it will be served below
 * @param world a world file. Its logos may be other files, its secrets may not. Absent: the demo world
 * @param lessons lesson files
 * @throws WriteError where the folder has files or cannot be written, or the world is invalid
 * @throws ConfigError with the mistakes of a lesson file
 * @throws RangeError where the base is not a path
 */
export function writeStaticSite(
	archive: string,
	folder: string,
	base: string,
	world?: string,
	lessons: readonly string[] = []
): void {
	const path = basePath(base);
	const packed = world === undefined ? undefined : readStaticWorld(world);
	const files = siteLessons(readLessonFiles(lessons, process.cwd(), '--lesson'));
	if (!existsSync(archive))
		throw new WriteError(
			'The static files are part of the npm package, and this copy does not have them. Run `npm run build:static` instead.'
		);
	const bytes = readFileSync(archive);
	const to = resolve(folder);
	try {
		if (filesIn(to).length > 0)
			throw new WriteError(`${folder} has files, which could be of another site. Choose a new or empty folder.`);
		unpackFolder(bytes, to);
		writeStatic(to, path, packed, originOf(base), files);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		throw new WriteError(`Cannot write ${folder} (${String(error.code)}). Choose a folder that this user may write.`);
	}
}

function readStaticWorld(file: string): PackedWorld {
	try {
		return packWorldFile(file);
	} catch (error) {
		throw error instanceof WorldError ? new WriteError(error.message) : error;
	}
}

function filesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
		throw error;
	}
}
