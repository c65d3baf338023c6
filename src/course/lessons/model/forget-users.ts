import { openCompanion } from '#features/viewer/open-companion.ts';
import { openViewer } from '#features/viewer/open-page.ts';

/**
 * Removes the users that our own clients have signed in at a service, without a request to it. Restores the checks that a lesson turned off.
 * @param path that the app is served from, without a trailing slash
 */
export async function forgetUsers(baseUrl: string, path: string): Promise<void> {
	const [viewer, { viewer: companion }] = await Promise.all([openViewer(baseUrl, path), openCompanion(baseUrl, path)]);
	for (const { users, rateLimits, client } of [viewer, companion]) {
		await users.load();
		for (const user of users.list) await users.remove(user);
		users.status = undefined;
		await client.settings.update({ checkState: true, shareRefresh: true });
		rateLimits.reset();
		client.tab.set({ lastLookup: null, nextLookup: null });
	}
}
