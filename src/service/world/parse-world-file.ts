import * as v from 'valibot';
import { worldFile, type WorldFile } from '#api/world/world-file.ts';
import { validPartsOf, type ValidParts } from './valid-parts.ts';
import { scanJson, type JsonScan } from './scan-json.ts';
import { WorldError } from './world-mistakes.ts';
import { WorldMistakes } from './world-mistakes.ts';

/** Names that every object has, and that the schema library skips. In a file they would be ignored without a message. */
const reservedNames = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);
/** The schema rejects what is deeper. */
const maxDepth = 12;
/** By the type that the schema expects. */
const typeMessages: ReadonlyMap<string, string> = new Map([
	['Object', 'Use an object.'],
	['Array', 'Use a list.'],
	['string', 'Use a text.'],
	['boolean', 'Use true or false.']
]);

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
	const { content, duplicates } = typeof source === 'string' ? parseText(source) : { content: source, duplicates: [] };
	if (typeof content !== 'object' || content === null || Array.isArray(content))
		throw new WorldError(undefined, 'It is not a JSON object. Begin with {"format": "tollgate-world", "version": 1}.');
	const mistakes = new WorldMistakes(content, source);
	for (const { place, lines } of duplicates)
		mistakes.add(shorten(place), `The name occurs in line ${lines[0]} and in line ${lines[1]}. Remove one.`);
	rejectReservedNames(content, mistakes);
	const { success, output, issues = [] } = v.safeParse(worldFile, content, { abortPipeEarly: true });
	for (const issue of issues) mistakes.add(shorten(v.getDotPath(issue) ?? ''), messageOf(issue));
	if (success) return { file: output, placeOf: (place) => place, mistakes };
	const parts = validPartsOf(content);
	if (parts !== undefined) return { ...parts, mistakes };
	mistakes.throwIfAny();
	throw new WorldError(undefined, 'It is not a world file.');
}

function parseText(given: string): { readonly content: unknown } & Pick<JsonScan, 'duplicates'> {
	const text = given.replace(/^\ufeff/, '');
	const { mistake, duplicates } = scanJson(text);
	if (mistake !== undefined) throw new WorldError(undefined, `It is not JSON: there is ${mistake}.`);
	return { content: JSON.parse(text), duplicates };
}

function shorten(place: string): string {
	return place.slice(0, 200);
}

function rejectReservedNames(value: unknown, mistakes: WorldMistakes, place: readonly string[] = []): void {
	if (typeof value !== 'object' || value === null || place.length > maxDepth) return;
	for (const [name, part] of Object.entries(value)) {
		const at = [...place, name];
		if (reservedNames.has(name))
			mistakes.add(shorten(at.join('.')), `The name "${name}" is reserved. Choose another name.`);
		else rejectReservedNames(part, mistakes, at);
	}
}

function messageOf({ type, expected, received, message }: v.BaseIssue<unknown>): string {
	if (type === 'strict_object' && expected === 'never') return 'There is no such field. Remove it or correct its name.';
	if (received === 'undefined') return 'This field is required.';
	// The message of the schema library repeats the value, which may be a secret in the wrong place.
	const named = message.startsWith('Invalid type') ? typeMessages.get(expected ?? '') : undefined;
	if (named !== undefined) return named;
	return message.slice(0, 300);
}
