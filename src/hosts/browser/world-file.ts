/** The file that the build writes. It changes nothing. */
export const demoWorldFile = '{ "format": "tollgate-world", "version": 1 }';

/** How long the network may take, in milliseconds. */
const timeout = 5_000;

/**
 * Downloads the world file of this site.
 * @param base path of the app, without a trailing slash
 * @returns undefined where the site has none, or one that changes nothing
 * @throws where the server does not respond, or with an error
 */
export async function readWorldFile(base: string): Promise<string | undefined> {
	const response = await fetch(worldFilePath(base), { cache: 'no-cache', signal: AbortSignal.timeout(timeout) });
	if (!response.ok && response.status !== 404 && response.status !== 410)
		throw new Error(`The server responded with ${response.status} for ${response.url}.`);
	const text = await response.text();
	// Many hosts respond to an unknown URL with a page.
	const isFile = response.ok && !text.trimStart().startsWith('<');
	return isFile && text.trim() !== demoWorldFile ? text : undefined;
}

/** @param base path of the app, without a trailing slash */
export function worldFilePath(base: string): string {
	return `${base}/world.json`;
}
