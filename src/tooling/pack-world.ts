import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { readWorld } from '#service/world/read-world.ts';
import { WorldError } from '#service/world/world-error.ts';
import { worldFile } from '#wire/world/world-file.ts';

const digest = (text: string) => hash('sha256', text, 'base64url');

/**
 * Reads a world file for the static build, which has no other files: its logos become data URIs. All of it is public, so secrets
 * in variables or files are mistakes.
 * @param path relative to the working folder
 * @returns the text of `world.json`
 * @throws WorldError whose message is for the user who named the file
 */
export function packWorld(path: string): string {
	const readFile = (name: string) => readFileSync(resolve(dirname(path), name));
	try {
		const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
		const { logo } = readWorld(content, { digest, readFile }).brand;
		const file = v.parse(worldFile, content);
		const packed = logo === undefined || file.brand === undefined ? file : { ...file, brand: { ...file.brand, logo } };
		readWorld(packed, { digest });
		return `${JSON.stringify(packed, undefined, '\t')}\n`;
	} catch (fault) {
		const reason = fault instanceof Error ? fault.message : 'It cannot be read.';
		throw new WorldError(undefined, `The world file ${path} is invalid. ${reason}`);
	}
}
