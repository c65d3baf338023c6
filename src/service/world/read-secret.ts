import type { WorldFile } from '#api/world/world-file.ts';
import { decodeUtf8 } from '../core/encoding.ts';
import { WorldError } from './world-error.ts';
import type { WorldSources } from './world-sources.ts';

/** A secret as a world file has it. */
export type WrittenSecret = NonNullable<WorldFile['applications']>[number]['secret'];

const longest = 256;

/**
 * The text of a secret, from the file itself, from an environment variable or from another file.
 * @param place in the world file
 * @throws WorldError that does not repeat the secret
 */
export function readSecret(secret: WrittenSecret, place: string, { variable, readFile }: WorldSources): string {
	if (typeof secret === 'string') return secret;
	if ('env' in secret) {
		if (variable === undefined)
			throw new WorldError(place, 'Environment variables cannot be read here. Write the secret as a text.');
		const value = variable(secret.env);
		if (!value) throw new WorldError(place, `The environment variable ${secret.env} is not set. Set it to the secret.`);
		return checked(value, place);
	}
	if (readFile === undefined) throw new WorldError(place, 'Files cannot be read here. Write the secret as a text.');
	return checked(decodeUtf8(readFile(secret.file, place))?.trim() ?? '', place);
}

function checked(value: string, place: string): string {
	if (value !== '' && value.length <= longest) return value;
	throw new WorldError(place, `The secret is empty, longer than ${longest} characters or not UTF-8. Use another one.`);
}
