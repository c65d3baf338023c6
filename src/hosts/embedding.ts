/** The most origins that may frame the embedded pages. Their list is in a header of each of these pages. */
export const maxEmbedOrigins = 20;

/** The separators of the setting: spaces, commas or both. Control characters are none of them. */
const separators = /[ ,]+/;
/** Plain HTTP for this machine only, where a partner builds the page. */
const origin = /^(?:https:\/\/(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?)|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/;

/** The list of origins. With a mistake it is empty. */
type EmbedList = { readonly origins: readonly string[]; readonly mistake?: string };

/**
 * Reads the setting EMBED. Each origin is as browsers write it, so that the policy of a page and the target of a message are the
 * same text.
 * @param value origins, with spaces or commas in between
 */
export function parseEmbedOrigins(value: string): EmbedList {
	const entries = value.split(separators).filter((entry) => entry !== '');
	const wrong = entries.find((entry) => !isOrigin(entry));
	if (wrong !== undefined) {
		const shown = /[@\p{Cc}]/u.test(wrong) ? 'an entry that is no origin' : `"${wrong.slice(0, 100)}"`;
		return {
			origins: [],
			mistake: `EMBED contains ${shown}. Each entry is https:// and a host, without a path or a wildcard, for example https://partner.example. Plain http:// is for localhost only.`
		};
	}
	if (entries.length > maxEmbedOrigins)
		return { origins: [], mistake: `EMBED has ${entries.length} origins. Name at most ${maxEmbedOrigins}.` };
	return { origins: [...new Set(entries)] };
}

/** A host with an empty label or an impossible port is no URL, and the default port is not written. */
function isOrigin(entry: string): boolean {
	return origin.test(entry) && !entry.includes('..') && URL.canParse(entry) && new URL(entry).origin === entry;
}

const closed = "frame-ancestors 'none'";

/**
 * Whether a page may be embedded in other sites. It shows nothing of a user, and its service is in the page. Pages of sandboxes,
 * and all pages of the service, are closed.
 * @param path as the address bar shows it
 */
export function isEmbedPath(path: string): boolean {
	return /^\/embed\/(?:demo|moment|lesson\/[a-z\d-]{1,60})$/.test(path);
}

/** The page in the frame of the studio: its own site alone frames it. */
export const draftPath = '/embed/lesson/own-0';

/**
 * The policy of an embedded page: its own, open for frames of these origins.
 * @param policy of a page of the app, which is closed
 * @param origins none: the page stays closed
 */
export function openPolicy(policy: string, origins: readonly string[]): string {
	return origins.length === 0 ? policy : policy.replace(closed, `frame-ancestors ${origins.join(' ')}`);
}

/** Whether a policy lets pages of other origins frame a page. `X-Frame-Options` cannot name them, so such a page has none. */
export function isOpenPolicy(policy: string): boolean {
	return /frame-ancestors https?:/.test(policy);
}
