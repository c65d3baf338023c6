import type { PublicWorld } from '#wire/control/world.ts';
import { permissionsOf } from '../permissions.ts';
import { characterKey } from '../seed.ts';
import { publicEndpoint } from './control-endpoint.ts';

/** `GET world`, for every visitor: what the pages call and show. */
export const readWorld = publicEndpoint(async ({ sandbox }): Promise<PublicWorld> => {
	const { brand, resource, accounts, viewer, companion } = sandbox.seed.world;
	const shown = await Promise.all(viewer.shows.map((name) => sandbox.store.get('character', characterKey(name))));
	return {
		brand,
		resource,
		permissions: await permissionsOf(sandbox),
		accounts: accounts.map(({ username, name = username, note, password, isPublished }) => ({
			username,
			name,
			...(note === undefined ? {} : { note }),
			...(isPublished ? { password } : {})
		})),
		viewer: { ...viewer, shows: [...viewer.shows] },
		...(companion === undefined ? {} : { companion }),
		characters: shown.flatMap((one) => (one === undefined ? [] : [{ name: one.name, player: one.player }]))
	};
});
