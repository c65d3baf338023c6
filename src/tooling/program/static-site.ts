import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseWorld } from '#hosts/browser/parse-world.ts';
import { basePath, writeStatic } from '../write-static.js';

/** A folder cannot be written. Its message is for the user who named it. */
export class WriteError extends Error {
	override name = 'WriteError';
}

/**
 * Writes the static build to a folder.
 * @param template the folder of the build
 * @param folder a new or empty one, relative to the working folder
 * @param base the path that it will be served below
 * @param world a world file, which cannot refer to other files. Absent: the demo world
 * @throws WriteError where the folder has files or cannot be written, or the world is invalid
 * @throws RangeError where the base is not a path
 */
export function writeStaticSite(template: string, folder: string, base: string, world?: string): void {
	const path = basePath(base);
	const worldText = world === undefined ? undefined : readStaticWorld(world);
	const to = resolve(folder);
	try {
		if (filesIn(to).length > 0)
			throw new WriteError(`${folder} has files, which could be of another site. Choose a new or empty folder.`);
		writeStatic(template, to, path);
		if (worldText !== undefined) writeFileSync(join(to, 'world.json'), worldText);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		throw new WriteError(`Cannot write ${folder} (${String(error.code)}). Choose a folder that this user may write.`);
	}
}

function readStaticWorld(file: string): string {
	let text: string;
	try {
		text = readFileSync(file, 'utf8');
	} catch (error) {
		const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
		throw new WriteError(`Cannot read the world file ${file} (${reason}).`);
	}
	const parsed = parseWorld(text);
	if (parsed.world === undefined) throw new WriteError(`The world file ${file} is invalid. ${parsed.mistake}`);
	return text;
}

function filesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
		throw error;
	}
}
