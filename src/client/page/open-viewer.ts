import { openBrowser, type Browser } from '../browser/surroundings.ts';
import { Client } from '../client.ts';
import { openOn } from './open-on.ts';
import { Viewer } from './viewer.svelte.ts';

const viewers = new Map<string, Promise<Viewer>>();

/**
 * The viewer at a service. There is one for each service in a tab, so that it survives going to another page.
 * @param base_url of the service, without a trailing slash
 * @param path that the application stands at, without a trailing slash: another one on this origin keeps its own
 */
export function openViewer(base_url: string, path: string): Promise<Viewer> {
	const known = viewers.get(base_url);
	if (known !== undefined) return known;
	const opening = open(base_url, path);
	viewers.set(base_url, opening);
	return opening;
}

async function open(base_url: string, path: string): Promise<Viewer> {
	return openOn(await openBrowser(`tollgate-client${path}`), (browser) => viewerOf(base_url, browser));
}

async function viewerOf(base_url: string, browser: Browser): Promise<Viewer> {
	const client = new Client(base_url, browser);
	await client.recall();
	const viewer = new Viewer(client, browser.persistent, browser.now);
	// Before anything is shown, so that nothing moves when the people are known.
	await viewer.people.load();
	return viewer;
}
