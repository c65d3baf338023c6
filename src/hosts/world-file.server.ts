import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readWorld } from '#service/world/read-world.ts';
import type { World } from '#service/world/world.ts';
import { WorldError } from '#service/world/world-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The longest file that is read, in bytes. A world with all characters at their limit is shorter. */
const maxFile = 32 * 1024 * 1024;

/**
 * Reads a world file, with the logos and secrets that it refers to. Paths in it are relative to its folder.
 * @param path of the file
 * @param environment variables that it can refer to
 * @throws WorldError whose message is for the user who started the server
 */
export function loadWorldFile(path: string, environment: Environment): World {
	const text = readText(path);
	return readIn(`The world file ${path} is invalid`, text, dirname(path), environment);
}

/**
 * Reads the world of a server: the file in `WORLD`, or the text in `WORLD_JSON`.
 * @param folder for relative paths
 * @returns undefined where neither is set
 * @throws WorldError whose message is for the user who started the server
 */
export function worldOf(environment: Environment, folder: string): World | undefined {
	const { WORLD: path, WORLD_JSON: text } = environment;
	if (path && text) throw new WorldError(undefined, 'Set WORLD or WORLD_JSON, not both.');
	if (path) return loadWorldFile(resolve(folder, path), environment);
	return text ? readIn('WORLD_JSON is invalid', text, folder, environment) : undefined;
}

function readIn(what: string, text: string, folder: string, environment: Environment): World {
	try {
		return readWorld(text, {
			digest: (one) => hash('sha256', one, 'base64url'),
			variable: (name) => environment[name],
			readFile: (path, place) => {
				try {
					return readBytes(resolve(folder, path));
				} catch (fault) {
					throw new WorldError(place, `The file ${path} cannot be read (${reasonOf(fault)}). Correct the path.`);
				}
			}
		});
	} catch (fault) {
		throw fault instanceof WorldError ? new WorldError(undefined, `${what}. ${fault.message}`) : fault;
	}
}

function readText(path: string): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(readBytes(path));
	} catch (fault) {
		throw new WorldError(
			undefined,
			`Cannot read the world file ${path} (${reasonOf(fault)}). Give the path of a world file in JSON and UTF-8.`
		);
	}
}

function readBytes(path: string): Uint8Array {
	if (statSync(path).size > maxFile) throw new RangeError('larger than 32 MiB');
	return readFileSync(path);
}

/** `ENOENT`, or what is wrong with the content. */
function reasonOf(fault: unknown): string {
	if (!(fault instanceof Error)) return 'unknown error';
	return 'code' in fault && fault.code !== 'ERR_ENCODING_INVALID_ENCODED_DATA' ? String(fault.code) : fault.message;
}
