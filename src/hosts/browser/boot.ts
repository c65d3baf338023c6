import type { BrowserHost, Place } from './host.ts';
import { StatusBoard } from './status.ts';

/** How the service fares in this page; known before the service is loaded. */
export const status = new StatusBoard();

let opening: Promise<BrowserHost> | undefined;

/**
 * The service of this page: loaded with MSW when first asked for, one for the whole page. Its worker starts in the background.
 * @throws Error where its code can't be loaded; the next call tries again
 */
export function browserHost(place: Place): Promise<BrowserHost> {
	return (opening ??= open(place));
}

/** True once this page's requests go through the worker, so that none of the service's can reach the network. */
export let isServed: () => boolean = () => false;

async function open(place: Place): Promise<BrowserHost> {
	if (!__BROWSER_HOST__) throw new Error('The service of this build runs on its server.');
	try {
		const { BrowserHost } = await import('./host.ts');
		const host = await BrowserHost.open(place, status);
		isServed = () => host.isServed;
		void host.serve(place);
		return host;
	} catch (fault) {
		opening = undefined;
		throw fault;
	}
}
