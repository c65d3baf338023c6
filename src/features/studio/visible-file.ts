import type { World } from '#client/world.ts';

/** What a form shows for a value that visitors do not see. */
const unseen = '…';
/** The secret of an application whose world does not publish it. */
const unpublished = 'simulated-secret';

type Client = World['viewer'] | NonNullable<World['companion']>;

/**
 * A world file with what visitors see of a world: without the values of fields, the texts of the service, secrets and other applications.
 * Only its operator has the file of a server.
 */
export function visibleFile(world: World): object {
	const { brand, resource, show, permissions, accounts, characters, viewer, companion } = world;
	const names = new Set([...permissions.flatMap(({ opens }) => opens), ...Object.keys(resource.fields ?? {})]);
	const fields = Object.fromEntries([...names].map((name) => [name, unseen]));
	const redirect_uris = ['{base_url}/viewer/callback'];
	return {
		format: 'tollgate-world',
		version: 1,
		brand,
		resource,
		show,
		permissions,
		accounts: accounts.map(({ username, name, ...rest }) => ({
			username,
			...(name !== username && { name }),
			...rest
		})),
		characters: characters.map((one) => ({ ...one, fields })),
		applications: [
			{ ...applicationOf(viewer), kind: 'web', redirect_uris },
			...(companion === undefined ? [] : [{ ...applicationOf(companion), kind: 'installed' }])
		],
		viewer: { ...clientOf(viewer), shows: viewer.shows },
		companion: companion && clientOf(companion)
	};
}

function applicationOf({ client_id, name, icon, client_secret = unpublished }: Client): object {
	return { client_id, name, icon, secret: client_secret };
}

function clientOf({ client_id, client_secret }: Client): object {
	return { client_id, ...(client_secret !== undefined && { publish_secret: true }) };
}
