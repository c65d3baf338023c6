import * as v from 'valibot';
import { maxPresetBytes, preset, type Preset } from '#api/control/preset.ts';

const checksumLength = 16;

/** Why a preset link cannot be used, for users. */
export class PresetLinkError extends Error {
	override name = 'PresetLinkError';
}

/**
 * A link that opens a new sandbox in a prepared state. The fragment is not sent to any server.
 * @param rootUrl base URL of the root sandbox
 */
export async function createPresetLink(rootUrl: string, content: Preset): Promise<string> {
	const text = toBase64url(new TextEncoder().encode(JSON.stringify(content)));
	return `${rootUrl}/preset#${await checksumOf(text)}.${text}`;
}

/**
 * Reads the fragment of a preset link.
 * @param fragment with or without the `#`
 * @throws PresetLinkError if it is damaged, too large or not a preset
 */
export async function readPresetLink(fragment: string): Promise<Preset> {
	const [, checksum, text] = /^#?([\w-]*)\.([\w-]*)$/.exec(fragment) ?? [];
	if (checksum === undefined || text === undefined || checksum !== (await checksumOf(text)))
		throw new PresetLinkError('The link is damaged or incomplete. Copy all of it, or ask for a new one.');
	if (text.length * 0.75 > maxPresetBytes)
		throw new PresetLinkError(`The link is too long. A preset has at most ${maxPresetBytes / 1024} KiB.`);
	const content = v.safeParse(preset, parse(text));
	if (content.success) return content.output;
	const place = v.getDotPath(content.issues[0]);
	throw new PresetLinkError(
		place === null
			? 'The link does not contain a preset of Tollgate.'
			: `The link contains a preset that this version cannot read, at ${place.slice(0, 60)}.`
	);
}

async function checksumOf(text: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
	return toBase64url(new Uint8Array(digest)).slice(0, checksumLength);
}

function toBase64url(bytes: Uint8Array): string {
	const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
	return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function parse(text: string): unknown {
	try {
		const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
		const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
		return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch {
		return undefined;
	}
}
