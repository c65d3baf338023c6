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
