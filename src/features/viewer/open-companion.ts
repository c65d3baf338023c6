import { clientNamespaces, eventSource } from '#client/storage/tab-state.svelte.ts';
import { companionRegistration, fetchWorldOnce } from '#client/world.ts';
import { createBrowserEnvironment } from './browser-environment.ts';
import { OobSignIn, openOobPopup } from './oob-sign-in.svelte.ts';
import { loadViewer, memoizeByUrl, shareEvents } from './open-page.ts';

/** Time between two looks at the title of the popup, in milliseconds. */
const pollInterval = 200;

/** The Pocket Companion for a service: a viewer with another way to sign in. Parameters as for `openViewer`. */
export const openCompanion = memoizeByUrl(async (baseUrl, path) => {
	const environment = await createBrowserEnvironment(clientNamespaces.companion + path);
	const world = await fetchWorldOnce(baseUrl, environment.fetch);
	const viewer = await loadViewer(baseUrl, world, environment, companionRegistration(world), 'offline');
	shareEvents(viewer.client.log, baseUrl, eventSource(environment.namespace, environment.browserSession));
	const oobSignIn = new OobSignIn(viewer, {
		openPopup: openOobPopup,
		poll: (read) => {
			const timer = setInterval(read, pollInterval);
			return () => clearInterval(timer);
		}
	});
	return { viewer, oobSignIn };
});
