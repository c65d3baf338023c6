import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { apiInWorld } from '#client/api-in-world.ts';
import { wordsOf } from '#client/world-words.ts';
import { parseWorldFile, readWorld } from '#service/world/read-world.ts';
import { toPublicWorld, type World, type WorldSources } from '#service/world/world.ts';
import { WorldError } from '#service/world/world-mistakes.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Variable = NonNullable<WorldSources['variable']>;

/** The longest file that is read, in bytes. A world with all characters at their limit is shorter. */
const maxFile = 32 * 1024 * 1024;

/**
 * Reads a world file, with the logos and secrets that it refers to. Paths in it are relative to its folder.
 * @param path of the file
 * @param variable the value of an environment variable
 * @throws WorldError whose message is for the user who started the server
 */
export function loadWorldFile(path: string, variable: Variable): World {
	const text = readWorldText(path);
	return explain(invalid(path), () => readWorld(text, { ...sourcesIn(dirname(path)), variable }));
}

/** A world for the static build. */
export type PackedWorld = {
	/** The text of `world.json`. */
	readonly file: string;
	/** The picture in previews of links, as a PNG. It is a separate file of the site, so that visitors do not download it. */
	readonly picture: Uint8Array | undefined;
	/** As `wordsOf`: puts texts about the demo world into the words of this one. */
	readonly words: (text: string) => string;
	/** Puts the OpenAPI document of the demo world into the words of this one. */
	readonly api: (document: string) => string;
};

/**
 * Reads a world file for the static build, which has no other files: its logos and icons become data URIs. All of it is public, so secrets
 * in variables or files are mistakes.
 * @throws WorldError whose message is for the user who named the file
 */
export function packWorldFile(path: string): PackedWorld {
	const text = readWorldText(path);
	return explain(invalid(path), () => {
		const { digest, readFile } = sourcesIn(dirname(path));
		const { brand, picture, icons } = readWorld(text, { digest, readFile });
		const file = parseWorldFile(text);
		const packed = {
			...file,
			...(file.brand && { brand }),
			...(file.applications && {
				applications: file.applications.map((application) => {
					const icon = icons.get(application.client_id);
					return { ...application, ...(icon !== undefined && { icon }) };
				})
			})
		};
		const world = toPublicWorld(readWorld(packed, { digest }));
		return {
			file: `${JSON.stringify(packed, undefined, '\t')}\n`,
			picture: picture === undefined ? undefined : Buffer.from(picture.replace(/^.*,/, ''), 'base64'),
			words: wordsOf(world),
			api: (document) => apiInWorld(document, world)
		};
	});
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
	const variable: Variable = (name) => environment[name];
	if (path) return loadWorldFile(resolve(folder, path), variable);
	return text ? explain('WORLD_JSON is invalid', () => readWorld(text, { ...sourcesIn(folder), variable })) : undefined;
}

/** The files that a world file can refer to. Paths start at its folder. */
function sourcesIn(folder: string): Required<Omit<WorldSources, 'variable'>> {
	return {
		digest: (one) => hash('sha256', one, 'base64url'),
		readFile: (path, place) => {
			try {
				return readBytes(resolve(folder, path));
			} catch (fault) {
				throw new WorldError(place, `The file ${path} cannot be read (${reasonOf(fault)}). Correct the path.`);
			}
		}
	};
}

/** Adds which world has a mistake. */
function explain<T>(what: string, read: () => T): T {
	try {
		return read();
	} catch (fault) {
		throw fault instanceof WorldError ? new WorldError(undefined, `${what}. ${fault.message}`) : fault;
	}
}

function invalid(path: string): string {
	return `The world file ${path} is invalid`;
}

function readWorldText(path: string): string {
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
	const about = statSync(path);
	// A pipe or a device has the size 0, and may never end.
	if (!about.isFile()) throw new TypeError('not a regular file');
	if (about.size > maxFile) throw new RangeError('larger than 32 MiB');
	return readFileSync(path);
}

/** `ENOENT`, or what is wrong with the content. */
function reasonOf(fault: unknown): string {
	if (!(fault instanceof Error)) return 'unknown error';
	return 'code' in fault && fault.code !== 'ERR_ENCODING_INVALID_ENCODED_DATA' ? String(fault.code) : fault.message;
}
