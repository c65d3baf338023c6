import { characterViewer } from '../demo-clients.ts';
import type { AccessType, ClientRegistration } from '../oauth/client-registration.ts';
import { MemoryStorage } from '../storage/shared-storage.ts';
import { createBrowserEnvironment } from './browser-environment.ts';
import { ViewerClient } from './client.ts';
import type { Environment } from './environment.ts';
import { memoizeByUrl } from './memoize-by-url.ts';
import { Viewer } from './viewer.svelte.ts';

/**
 * The viewer for a service. Each tab has one for each service.
 * @param baseUrl of the service, without a trailing slash
 * @param path that the app is served from, without a trailing slash
 */
export const createViewer = memoizeByUrl(async (baseUrl, path) =>
	loadViewer(baseUrl, await createBrowserEnvironment(`tollgate-viewer${path}`), characterViewer(baseUrl))
);

/** Loads what is stored. Falls back to memory if storage fails. */
export async function loadViewer(
	baseUrl: string,
	environment: Environment,
	registration: ClientRegistration,
	access_type?: AccessType
): Promise<Viewer> {
	try {
		const client = new ViewerClient(baseUrl, environment, registration);
		await client.restore();
		const viewer = new Viewer(client, access_type);
		// Before the page is shown, so that nothing moves when the users are known.
		await viewer.users.load();
		return viewer;
	} catch (thrown) {
		if (!environment.isPersistent) throw thrown;
		const inMemory = { ...environment, storage: new MemoryStorage(), isPersistent: false };
		return loadViewer(baseUrl, inMemory, registration, access_type);
	}
}
