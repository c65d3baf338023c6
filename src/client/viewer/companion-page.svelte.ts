import { pocketCompanion } from '../demo-clients.ts';
import { outOfBandUri } from '../oauth/client-registration.ts';
import { createBrowserEnvironment } from './browser-environment.ts';
import { loadViewer } from './create-viewer.ts';
import { memoizeByUrl } from './memoize-by-url.ts';
import { openOobPopup } from './oob-popup.ts';
import { OobSignIn, type OobSignInOptions } from './oob-sign-in.svelte.ts';
import type { Viewer } from './viewer.svelte.ts';

/** The state of the Pocket Companion page: that of the viewer, with another way to sign in. */
export class CompanionPage {
	readonly viewer: Viewer;
	readonly oobSignIn: OobSignIn;

	constructor(viewer: Viewer, options: Omit<OobSignInOptions, 'onSignedIn'>) {
		this.viewer = viewer;
		this.oobSignIn = new OobSignIn(viewer.client, viewer.signIn, {
			...options,
			onSignedIn: (id) => {
				viewer.signIn.reset();
				viewer.users.select(id);
			}
		});
	}
}

/** Time between two looks at the title of the popup, in milliseconds. */
const pollInterval = 200;

/** The companion page for a service. Parameters as for `createViewer`. */
export const createCompanionPage = memoizeByUrl(async (baseUrl, path) => {
	const environment = await createBrowserEnvironment(`tollgate-companion${path}`);
	const viewer = await loadViewer(baseUrl, environment, pocketCompanion(outOfBandUri), 'offline');
	return new CompanionPage(viewer, {
		openPopup: openOobPopup,
		poll: (read) => {
			const timer = setInterval(read, pollInterval);
			return () => clearInterval(timer);
		}
	});
});
