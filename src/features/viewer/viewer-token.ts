import { clientNamespaces } from '#client/storage/tab-state.svelte.ts';
import { UserStore } from '#client/storage/user-store.ts';
import { createBrowserEnvironment } from './browser-environment.ts';

/**
 * The access token of the user who signed in to the viewer last.
 * @param baseUrl of the service, without a trailing slash
 * @param path that the app is served from, without a trailing slash
 * @returns undefined: no user is signed in
 */
export async function viewerToken(baseUrl: string, path: string): Promise<string | undefined> {
	const { storage } = await createBrowserEnvironment(clientNamespaces.viewer + path);
	const users = await new UserStore(storage, baseUrl).list();
	return users.findLast(({ ended }) => ended === null)?.access_token;
}
