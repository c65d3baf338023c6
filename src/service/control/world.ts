import { permissionsOf } from '../permissions.ts';
import { characterKey } from '../seed.ts';
import { publicWorld } from '../world/public-world.ts';
import { publicEndpoint } from './control-endpoint.ts';

/** `GET world`, for every visitor: what the pages call and show. */
export const readWorld = publicEndpoint(async ({ sandbox }) => {
	const { world } = sandbox.seed;
	const shown = world.viewer.shows.map((name) => sandbox.store.get('character', characterKey(name)));
	const characters = (await Promise.all(shown)).filter((one) => one !== undefined);
	return publicWorld(world, { permissions: await permissionsOf(sandbox), characters });
});
