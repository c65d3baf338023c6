import { readFragment, writeFragment } from './fragment.ts';

/** The most characters of a link. Chat programs and ticket systems keep links of this length whole. */
export const maxLinkLength = 16_000;
/** The most that a link can unpack to, in bytes. A small link could otherwise fill the memory. */
const maxBytes = 1024 * 1024;

/** Why a link with its content in the fragment cannot be opened, for users. */
export class LinkError extends Error {
	override name = 'LinkError';
}

/** The fragment of a link that contains data, without the `#`. It is not sent to any server. May be longer than `maxLinkLength`. */
export async function packFragment(content: unknown): Promise<string> {
	const packed = new Blob([JSON.stringify(content)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
	return writeFragment(new Uint8Array(await new Response(packed).arrayBuffer()));
}

/**
 * Reads the data of a fragment. Anyone may have written it.
 * @param fragment with or without the `#`
 * @returns undefined if it is no JSON
 * @throws LinkError if it is empty, damaged or too large
 */
export async function unpackFragment(fragment: string): Promise<unknown> {
	if (fragment.length <= 1) throw new LinkError('The link has no content after the #. Copy all of it.');
	if (fragment.length > maxLinkLength)
		throw new LinkError(`The link is too long. A link has at most ${maxLinkLength.toLocaleString('en')} characters.`);
	const packed = await readFragment(fragment);
	if (packed === undefined)
		throw new LinkError('The link is damaged or incomplete. Copy all of it, or ask for a new one.');
	let [text, bytes] = ['', 0];
	const decoder = new TextDecoder('utf-8', { fatal: true });
	const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
	try {
		for (let part = await reader.read(); !part.done; part = await reader.read()) {
			bytes += part.value.length;
			if (bytes > maxBytes) break;
			text += decoder.decode(part.value, { stream: true });
		}
		if (bytes <= maxBytes) return JSON.parse(text + decoder.decode());
	} catch {
		return undefined;
	}
	await reader.cancel();
	throw new LinkError(`The content of the link is too large. It can have at most ${maxBytes / 1024 / 1024} MB.`);
}
