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

/** How many characters of a digest begin a fragment. */
const checksumLength = 16;

/** Data as the fragment of a link, with a checksum that tells a cut link from a whole one. Browsers send fragments to no server. */
export async function writeFragment(data: Uint8Array<ArrayBuffer>): Promise<string> {
	const text = toBase64url(data);
	return `${await checksumOf(text)}.${text}`;
}

/**
 * Reads the data of a fragment.
 * @param fragment with or without the `#`
 * @returns undefined if it is damaged or incomplete
 */
export async function readFragment(fragment: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
	const [, checksum, text] = /^#?([\w-]*)\.([\w-]*)$/.exec(fragment) ?? [];
	if (checksum === undefined || text === undefined || checksum !== (await checksumOf(text))) return undefined;
	return fromBase64url(text);
}

async function checksumOf(text: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
	return toBase64url(new Uint8Array(digest)).slice(0, checksumLength);
}

function toBase64url(bytes: Uint8Array): string {
	const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
	return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
	try {
		const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
		return Uint8Array.from(binary, (character) => character.charCodeAt(0));
	} catch {
		return undefined;
	}
}
