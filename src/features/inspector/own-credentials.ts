import type { TrafficEntry } from '#api/control/traffic.ts';
import { companionRegistration, viewerRegistration, type World } from '#client/world.ts';
import { credentialId } from '#client/control-api/control-api.ts';
import { IndexedDbStorage } from '#client/storage/indexed-db.ts';
import type { SharedStorage } from '#client/storage/shared-storage.ts';
import { clientNamespaces } from '#client/storage/tab-events.ts';

/** What a client of this browser holds: its application, and the tokens of its users. */
export type OwnCredentials = {
	readonly client_id: string;
	readonly client_secret: string;
	readonly tokens: readonly string[];
};

const storages = new Map<string, SharedStorage>();

/**
 * Reads what the demo clients of this browser hold for a service. Empty if the browser blocks storage.
 * @param baseUrl of the service
 * @param path that the app is served from, without a trailing slash
 * @param world of the service
 */
export async function readOwnCredentials(baseUrl: string, path: string, world: World): Promise<OwnCredentials[]> {
	const clients = [
		[clientNamespaces.viewer, viewerRegistration(world, baseUrl)],
		[clientNamespaces.companion, companionRegistration(world)]
	] as const;
	const found: OwnCredentials[] = [];
	for (const [namespace, { client_id, client_secret }] of clients) {
		try {
			const name = namespace + path;
			const storage = storages.get(name) ?? new IndexedDbStorage(name);
			storages.set(name, storage);
			const [settings, users] = await Promise.all([storage.get('settings'), storage.get('users')]);
			const entered = settings.find(({ issuer }) => issuer === baseUrl)?.credentials;
			const own = users.filter(({ issuer }) => issuer === baseUrl);
			const tokens = own.flatMap(({ access_token, refresh_token }) => [access_token, refresh_token ?? '']);
			found.push({ client_id, client_secret, ...entered, tokens: tokens.filter((token) => token !== '') });
		} catch {
			// Storage is blocked.
		}
	}
	return found;
}

/**
 * The values of an exchange that this browser holds, by label. A token is known by its digest. A secret is that of the client that
 * the service has authenticated.
 */
export async function ownValues(
	{ values, client_id }: Pick<TrafficEntry, 'values' | 'client_id'>,
	own: readonly OwnCredentials[]
): Promise<ReadonlyMap<string, string>> {
	const byId = new Map<string, string>();
	for (const token of own.flatMap(({ tokens }) => tokens)) byId.set(await credentialId(token), token);
	const secret = own.find((one) => one.client_id === client_id)?.client_secret;
	const found = new Map<string, string>();
	for (const { label, id } of values) {
		const value = label.startsWith('client secret ') ? secret : byId.get(id);
		if (value !== undefined) found.set(label, value);
	}
	return found;
}
