import type { WorldFile } from '#wire/world/world-file.ts';

/** A world file in which every section that others refer to is present. */
export type CompleteWorldFile = WorldFile &
	Required<
		Pick<WorldFile, 'brand' | 'resource' | 'permissions' | 'accounts' | 'characters' | 'applications' | 'viewer'>
	>;

/**
 * Adds the sections of the demo world that a file does not have. Of the demo characters only those remain whose account exists.
 * @param demo the demo world
 */
export function completeFile(file: WorldFile, demo: CompleteWorldFile): CompleteWorldFile {
	const accounts = file.accounts ?? demo.accounts;
	const usernames = accounts.map(({ username }) => username);
	const characters = file.characters ?? demo.characters.filter(({ player }) => usernames.includes(player));
	const applications = file.applications ?? demo.applications;
	const ids = applications.map(({ client_id }) => client_id);
	const ofKind = (kind: 'web' | 'installed') => applications.find((one) => one.kind === kind);
	const viewer =
		file.viewer ??
		(ids.includes(demo.viewer.client_id)
			? demo.viewer
			: { client_id: ofKind('web')?.client_id ?? demo.viewer.client_id });
	const installed = ofKind('installed');
	const companion =
		file.companion ??
		(demo.companion && ids.includes(demo.companion.client_id)
			? demo.companion
			: installed && { client_id: installed.client_id });
	const names = characters.map(({ name }) => name);
	const shows = file.viewer?.shows ?? demo.viewer.shows?.filter((name) => names.includes(name)) ?? [];
	const { companion: _, ...sections } = { ...demo, ...file };
	return {
		...sections,
		...{ accounts, characters, applications },
		viewer: { ...viewer, shows: shows.length > 0 ? shows : names.slice(0, 5) },
		...(companion === undefined ? {} : { companion })
	};
}
