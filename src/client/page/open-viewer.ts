import { openBrowser, type Browser } from '../browser/surroundings.ts';
import { Client } from '../client.ts';
import { oncePerService, openOn } from './open-on.ts';
import { Viewer } from './viewer.svelte.ts';

/**
 * The viewer at a service. There is one for each service in a tab.
 * @param base_url of the service, without a trailing slash
 * @param path that the application stands at, without a trailing slash: another one on this origin keeps its own
 */
export const openViewer = oncePerService(async (base_url, path) =>
	openOn(await openBrowser(`tollgate-client${path}`), (browser) => viewerOf(base_url, browser))
);

async function viewerOf(base_url: string, browser: Browser): Promise<Viewer> {
	const client = new Client(base_url, browser);
	await client.recall();
	const viewer = new Viewer(client, browser.persistent, browser.now);
	// Before anything is shown, so that nothing moves when the people are known.
	await viewer.people.load();
	return viewer;
}
