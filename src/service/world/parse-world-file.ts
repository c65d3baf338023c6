import * as v from 'valibot';
import { worldFile, type WorldFile } from '#wire/world/world-file.ts';
import { WorldError } from './world-error.ts';

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

/**
 * Parses a world file. What its parts refer to is not checked.
 * @param source the text, or its content
 * @throws WorldError for the first mistake, with its place
 */
export function parseWorldFile(source: unknown): WorldFile {
	const content = typeof source === 'string' ? parseText(source) : source;
	if (typeof content !== 'object' || content === null || Array.isArray(content))
		throw new WorldError(undefined, 'It is not a JSON object. Begin with {"format": "tollgate-world", "version": 1}.');
	rejectReservedNames(content);
	const result = v.safeParse(worldFile, content, { abortEarly: true });
	if (result.success) return result.output;
	const [issue] = result.issues;
	throw new WorldError(v.getDotPath(issue)?.slice(0, 200), messageOf(issue));
}

function parseText(text: string): unknown {
	try {
		return JSON.parse(text.replace(/^\ufeff/, ''));
	} catch (fault) {
		throw new WorldError(undefined, `It is not JSON: ${describe(fault, text)}.`);
	}
}

/** What the parser says of a text. V8 quotes a part of it, which may be a secret. The line of that part is named instead. */
function describe(fault: unknown, text: string): string {
	const message = fault instanceof Error ? fault.message : 'It cannot be parsed';
	const [, reason, quoted = ''] = /^(.*?), (?:\.{3})?"(.*)"(?:\.{3})? is not valid JSON$/s.exec(message) ?? [];
	if (reason === undefined) return message;
	return `${reason} in line ${text.slice(0, text.indexOf(quoted) + quoted.length / 2).split('\n').length}`;
}

function rejectReservedNames(value: unknown, place: readonly string[] = []): void {
	if (typeof value !== 'object' || value === null || place.length > maxDepth) return;
	for (const [name, part] of Object.entries(value)) {
		const at = [...place, name];
		if (reservedNames.has(name))
			throw new WorldError(at.join('.').slice(0, 200), `The name "${name}" is reserved. Choose another name.`);
		rejectReservedNames(part, at);
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
