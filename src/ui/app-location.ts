/** Where a page stands: which sandbox, and what its links begin with. */
export type AppLocation = {
	/** What every link begins with, without a trailing slash: the Kit base and the sandbox (`/demo/~k3v9…`). Empty for the root. */
	readonly home: string;
	/** The base URL of the service that this page belongs to: what a client is told. */
	readonly baseUrl: string;
	/** The sandbox's id; undefined for the root sandbox. */
	readonly sandbox: string | undefined;
};

/**
 * Reads a page's place from its address.
 * @param url the page's address, as the browser shows it (`/~id/viewer`, not what it is rerouted to)
 * @param base Kit's `paths.base`
 */
export function readAppLocation(url: URL, base: string): AppLocation {
	const path = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname;
	const sandbox = /^\/~([^/]+)/.exec(path)?.[1];
	const home = sandbox === undefined ? base : `${base}/~${sandbox}`;
	return { home, baseUrl: url.origin + home, sandbox };
}
