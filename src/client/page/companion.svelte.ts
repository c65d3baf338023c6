import { outOfBand, pocketCompanion } from '../application.ts';
import { openCodeWindow } from '../browser/code-window.ts';
import { openBrowser, type Browser } from '../browser/surroundings.ts';
import { Client } from '../client.ts';
import { oncePerService, openOn } from './open-on.ts';
import { OutOfBand, type OutOfBandTools } from './out-of-band.svelte.ts';
import { Viewer } from './viewer.svelte.ts';

/** Everything that the page of Pocket Companion shows and does: what the viewer does, and its own way to sign in. */
export class Companion {
	readonly viewer: Viewer;
	readonly outOfBand: OutOfBand;

	constructor(client: Client, browser: Pick<Browser, 'persistent' | 'now'>, tools: Omit<OutOfBandTools, 'welcome'>) {
		const viewer = new Viewer(client, browser.persistent, browser.now, 'offline');
		this.viewer = viewer;
		this.outOfBand = new OutOfBand(client, viewer.signIn, {
			...tools,
			welcome: ({ id }) => {
				viewer.signIn.done();
				viewer.people.choose(id);
			}
		});
	}
}

const pace = 200;

/**
 * The companion at a service. There is one for each service in a tab; what it stores is apart from the viewer's.
 * @param base_url of the service, without a trailing slash
 * @param path that the application stands at, without a trailing slash: another one on this origin keeps its own
 */
export const openCompanion = oncePerService(async (base_url, path) =>
	openOn(await openBrowser(`tollgate-companion${path}`), (browser) => companionOf(base_url, browser))
);

async function companionOf(base_url: string, browser: Browser): Promise<Companion> {
	const client = new Client(base_url, browser, pocketCompanion(outOfBand));
	await client.recall();
	const companion = new Companion(client, browser, { open: openCodeWindow, often });
	// Before anything is shown, so that nothing moves when the people are known.
	await companion.viewer.people.load();
	return companion;
}

function often(work: () => void): () => void {
	const timer = setInterval(work, pace);
	return () => clearInterval(timer);
}
