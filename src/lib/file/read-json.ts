import * as v from 'valibot';
import { scanJson } from './scan-json.ts';

/** One mistake of a file. `place` is a path in it: `steps.2.text`, empty for the file as a whole. */
export type FileMistake = { readonly place: string; readonly reason: string };

/** Names that every object has, and that the schema library skips. In a file they would be ignored without a message. */
const reservedNames = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);
/** The schemas reject what is deeper. */
const maxDepth = 12;
/** By the type that the schema expects. */
const typeMessages: ReadonlyMap<string, string> = new Map([
	['Object', 'Use an object.'],
	['Array', 'Use a list.'],
	['string', 'Use a text.'],
	['number', 'Use a number.'],
	['boolean', 'Use true or false.']
]);

/** The content of a JSON text, with what a parser does not say, or why it is none. */
export type ReadJson =
	| { readonly content: unknown; readonly mistakes: readonly FileMistake[] }
	| { readonly reason: string };

/** Reads a JSON text. Names that occur twice are mistakes. */
export function readJson(given: string): ReadJson {
	const text = given.replace(/^\ufeff/, '');
	const { mistake, duplicates } = scanJson(text);
	if (mistake !== undefined) return { reason: `It is not JSON: there is ${mistake}.` };
	return {
		content: JSON.parse(text),
		mistakes: duplicates.map(({ place, lines }) => ({
			place: shortPlace(place),
			reason: `The name occurs in line ${lines[0]} and in line ${lines[1]}. Remove one.`
		}))
	};
}

/** The names in a file that the schema library skips. */
export function reservedNamesIn(value: unknown, place: readonly string[] = []): FileMistake[] {
	if (typeof value !== 'object' || value === null || place.length > maxDepth) return [];
	return Object.entries(value).flatMap(([name, part]) => {
		const at = [...place, name];
		if (!reservedNames.has(name)) return reservedNamesIn(part, at);
		return [{ place: shortPlace(at.join('.')), reason: `The name "${name}" is reserved. Choose another name.` }];
	});
}

/** What a schema found, as a mistake of the file. */
export function mistakeOf(issue: v.BaseIssue<unknown>): FileMistake {
	return { place: shortPlace(v.getDotPath(issue) ?? ''), reason: reasonOf(issue) };
}

function reasonOf({ type, expected, received, message }: v.BaseIssue<unknown>): string {
	if (type === 'strict_object' && expected === 'never') return 'There is no such field. Remove it or correct its name.';
	if (received === 'undefined') return 'This field is required.';
	// The message of the schema library repeats the value, which may be a secret in the wrong place.
	const named = message.startsWith('Invalid type') ? typeMessages.get(expected ?? '') : undefined;
	return named ?? message.slice(0, 300);
}

/** The line of a part. The line of one that is absent is that of the part around it. Undefined: it has none. */
export function lineOf(lines: ReadonlyMap<string, number>, place: string): number | undefined {
	for (let at = place; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
		const line = lines.get(at);
		if (line !== undefined) return line;
	}
	return undefined;
}

/** A place in a message. */
export function shortPlace(place: string): string {
	return place.slice(0, 200);
}
