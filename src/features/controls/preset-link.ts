import * as v from 'valibot';
import { maxPresetBytes, preset, type Preset } from '#api/control/preset.ts';
import { readFragment, writeFragment } from '#client/fragment.ts';

/** The longest link, in characters. */
const maxLink = 32_000;

/** Why a preset link cannot be used, for users. */
export class PresetLinkError extends Error {
	override name = 'PresetLinkError';
}

/**
 * A link that opens a new sandbox in a prepared state. The fragment is not sent to any server.
 * @param rootUrl base URL of the root sandbox
 * @throws PresetLinkError if it is too long
 */
export async function createPresetLink(rootUrl: string, content: Preset): Promise<string> {
	const bytes = new TextEncoder().encode(JSON.stringify(content, withoutPicture));
	const link = `${rootUrl}/preset#${await writeFragment(bytes)}`;
	if (link.length <= maxLink) return link;
	throw new PresetLinkError(
		`It has ${link.length.toLocaleString('en')} characters, and many programs accept ${maxLink.toLocaleString('en')}. Leave the world out, or use smaller images in it.`
	);
}

/** Programs that show a preview of a link do not read its fragment, and the picture in it is longer than a link can be. */
function withoutPicture(name: string, value: unknown): unknown {
	return name === 'brand' && typeof value === 'object' ? { ...value, picture: undefined } : value;
}

/**
 * Reads the fragment of a preset link.
 * @param fragment with or without the `#`
 * @throws PresetLinkError if it is damaged, too large or not a preset
 */
export async function readPresetLink(fragment: string): Promise<Preset> {
	const bytes = await readFragment(fragment);
	if (bytes === undefined)
		throw new PresetLinkError('The link is damaged or incomplete. Copy all of it, or ask for a new one.');
	if (bytes.length > maxPresetBytes)
		throw new PresetLinkError(`The link is too long. A preset has at most ${maxPresetBytes / 1024} KiB.`);
	const content = v.safeParse(preset, parse(bytes));
	if (content.success) return content.output;
	const place = v.getDotPath(content.issues[0]);
	throw new PresetLinkError(
		place === null
			? 'The link does not contain a preset.'
			: `The link contains a preset that this version cannot read, at ${place.slice(0, 60)}.`
	);
}

function parse(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch {
		return undefined;
	}
}
