import * as v from 'valibot';
import { readFragment, writeFragment } from '#client/fragment.ts';
import { moment, type Moment } from './moment.ts';

/** The most characters of a link. Chat programs and ticket systems keep links of this length whole. */
export const maxLinkLength = 16_000;
/** The most that a link can unpack to, in bytes. A small link could otherwise fill the memory. */
const maxBytes = 1024 * 1024;

/** Why a link to a moment cannot be opened, for users. */
export class MomentLinkError extends Error {
	override name = 'MomentLinkError';
}

/**
 * A link that contains a moment. The fragment is not sent to any server.
 * @param rootUrl base URL of the root sandbox
 * @returns may be longer than `maxLinkLength`
 */
export async function createMomentLink(rootUrl: string, content: Moment): Promise<string> {
	const packed = new Blob([JSON.stringify(content)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
	return `${rootUrl}/moment#${await writeFragment(new Uint8Array(await new Response(packed).arrayBuffer()))}`;
}

/**
 * Reads the fragment of a link to a moment.
 * @param fragment with or without the `#`
 * @throws MomentLinkError if it is empty, damaged, too large or not a moment
 */
export async function readMomentLink(fragment: string): Promise<Moment> {
	if (fragment.length <= 1) throw new MomentLinkError('The link has no content after the #. Copy all of it.');
	if (fragment.length > maxLinkLength)
		throw new MomentLinkError(
			`The link is too long. A link has at most ${maxLinkLength.toLocaleString('en')} characters.`
		);
	const packed = await readFragment(fragment);
	if (packed === undefined)
		throw new MomentLinkError('The link is damaged or incomplete. Copy all of it, or ask for a new one.');
	const content = v.safeParse(moment, await unpack(packed));
	if (content.success) return content.output;
	const place = v.getDotPath(content.issues[0]);
	throw new MomentLinkError(
		place === null
			? 'The link does not contain an exchange.'
			: `The link contains an exchange that this version cannot read, at ${place.slice(0, 60)}.`
	);
}

/**
 * The JSON in compressed data.
 * @returns undefined for anything else
 * @throws MomentLinkError if it is too large
 */
async function unpack(packed: Uint8Array<ArrayBuffer>): Promise<unknown> {
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
	throw new MomentLinkError(`The content of the link is too large. It can have at most ${maxBytes / 1024 / 1024} MB.`);
}
