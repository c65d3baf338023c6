/** The file that the build writes. It changes nothing. */
export const demoWorldFile = '{ "format": "tollgate-world", "version": 1 }';

/** How long the network may take, in milliseconds. */
const timeout = 5_000;

/**
 * Downloads the world file of this site.
 * @param base path of the app, without a trailing slash
 * @returns undefined where the site has none, or one that changes nothing
 * @throws where the server does not respond, or with an error or a page: hosts send one for unknown URLs, while they are being
 *   repaired, and before a sign-in to their network
 */
export async function readWorldFile(base: string): Promise<string | undefined> {
	const response = await fetch(worldFilePath(base), { cache: 'no-cache', signal: AbortSignal.timeout(timeout) });
	if (!response.ok && response.status !== 404 && response.status !== 410)
		throw new Error(`The server responded with ${response.status} for ${response.url}.`);
	if (!response.ok) return undefined;
	const text = await response.text();
	if (text.trimStart().startsWith('<')) throw new Error(`The server responded with a page for ${response.url}.`);
	return text.trim() === demoWorldFile ? undefined : text;
}

/** @param base path of the app, without a trailing slash */
export function worldFilePath(base: string): string {
	return `${base}/world.json`;
}
