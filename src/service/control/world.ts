import { worldApi } from '#api/control/world.ts';
import { permissionsOf } from '../sandbox/permissions.ts';
import { characterKey } from '../world/seed.ts';
import { toPublicWorld } from '../world/world.ts';
import { implement } from './control-endpoint.ts';

/** What the pages call and show. */
export const worldEndpoints = implement(worldApi, {
	'GET /control/world': async ({ sandbox }) => {
		const { world } = sandbox.seed;
		const shown = world.viewer.shows.map((name) => sandbox.store.get('character', characterKey(name)));
		const characters = (await Promise.all(shown)).filter((character) => character !== undefined);
		return toPublicWorld(world, { permissions: await permissionsOf(sandbox), characters });
	}
});
