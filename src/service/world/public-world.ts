import type { Permission, PublicWorld } from '#api/control/world.ts';
import type { Character } from '../sandbox/records.ts';
import type { World } from './world.ts';

/** What a sandbox has now. Its owner may have changed it. */
type Present = { readonly permissions: readonly Permission[]; readonly characters: readonly Character[] };

/**
 * What every visitor may know of a world.
 * @param present what the sandbox has; that of a fresh one by default
 */
export function publicWorld(world: World, present: Present = world): PublicWorld {
	const { brand, resource, accounts, viewer, companion } = world;
	const shown = present.characters.filter(({ name }) => viewer.shows.includes(name));
	return {
		brand,
		resource,
		permissions: [...present.permissions],
		accounts: accounts.map(({ username, name = username, note, password, isPublished }) => ({
			username,
			name,
			note,
			password: isPublished ? password : undefined
		})),
		viewer: { ...viewer, shows: [...viewer.shows] },
		companion,
		characters: shown.map(({ name, player }) => ({ name, player }))
	};
}
