import * as v from 'valibot';
import { mistakeOf, readJson, reservedNamesIn } from '#lib/file/read-json.ts';
import { worldFile, type WorldFile } from '#api/world/world-file.ts';
import { validPartsOf, type ValidParts } from './valid-parts.ts';
import { WorldError } from './world-mistakes.ts';
import { WorldMistakes } from './world-mistakes.ts';

/** A parsed file, which has mistakes or is right. */
export type ParsedWorld = ValidParts & {
	/** Those that the schema found. */
	readonly mistakes: WorldMistakes;
};

/**
 * Parses a world file. What its parts refer to is not checked.
 * @param source the text, or its content
 * @throws WorldError with all mistakes and their places
 */
export function parseWorldFile(source: unknown): WorldFile {
	const { file, mistakes } = parseValidParts(source);
	mistakes.throwIfAny();
	return file;
}

/**
 * Parses what is right in a world file.
 * @param source the text, or its content
 * @throws WorldError where nothing is
 */
export function parseValidParts(source: unknown): ParsedWorld {
	const { content, mistakes: found } =
		typeof source === 'string' ? parseText(source) : { content: source, mistakes: [] };
	if (typeof content !== 'object' || content === null || Array.isArray(content))
		throw new WorldError(undefined, 'It is not a JSON object. Begin with {"format": "tollgate-world", "version": 1}.');
	const mistakes = new WorldMistakes(content, source);
	const { success, output, issues = [] } = v.safeParse(worldFile, content, { abortPipeEarly: true });
	for (const { place, reason } of [...found, ...reservedNamesIn(content), ...issues.map(mistakeOf)])
		mistakes.add(place, reason);
	if (success) return { file: output, placeOf: (place) => place, mistakes };
	const parts = validPartsOf(content);
	if (parts !== undefined) return { ...parts, mistakes };
	mistakes.throwIfAny();
	throw new WorldError(undefined, 'It is not a world file.');
}

function parseText(text: string) {
	const read = readJson(text);
	if ('reason' in read) throw new WorldError(undefined, read.reason);
	return read;
}
