/** The sandbox of a page and the prefix of its links. */
export type AppLocation = {
	/** Prefix of every link, without a trailing slash: base path and sandbox (`/demo/~k3v9…`). Empty for the root sandbox at `/`. */
	readonly home: string;
	/** Base URL of the service for this sandbox. */
	readonly baseUrl: string;
	/** Base URL of the root sandbox. */
	readonly rootUrl: string;
	/** Sandbox id, or undefined for the root sandbox. */
	readonly sandbox: string | undefined;
};

/**
 * Reads the base path and the sandbox from the URL of a page.
 * @param url URL as the address bar shows it (`/~id/viewer`, before rerouting)
 * @param base `paths.base` of SvelteKit
 */
export function readAppLocation(url: URL, base: string): AppLocation {
	const path = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname;
	const sandbox = /^\/~([^/]+)/.exec(path)?.[1];
	const home = sandbox === undefined ? base : `${base}/~${sandbox}`;
	return { home, baseUrl: url.origin + home, rootUrl: url.origin + base, sandbox };
}

/**
 * The path of a page below its sandbox. A preset link, a shared moment, the page that shares and the end of a sign-in belong to one visit, so they count as the front page.
 * @param path as the address bar shows it
 * @param home `AppLocation.home`
 */
export function pathInSandbox(path: string, home: string): string {
	const below = path.startsWith(`${home}/`) ? path.slice(home.length) : '/';
	return /^\/(?:preset|share|moment|viewer\/callback)(?:\/|$)/.test(below) ? '/' : below;
}
