import type { WorldFile } from '#api/world/world-file.ts';

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
	/** Of the file's own applications, none with a secret that the file does not publish. */
	const ownClient = (kind: 'web' | 'installed', preferred = '') => {
		const ofKind = applications.filter((one) => one.kind === kind);
		const found = ofKind.find((one) => one.client_id === preferred) ?? ofKind[0];
		return found && { client_id: found.client_id };
	};
	const isDemo = file.applications === undefined;
	const { client_id } = demo.viewer;
	const viewer = file.viewer ?? (isDemo ? demo.viewer : (ownClient('web', client_id) ?? { client_id }));
	const companion = file.companion ?? (isDemo ? demo.companion : ownClient('installed', demo.companion?.client_id));
	const names = characters.map(({ name }) => name);
	const shows = file.viewer?.shows ?? demo.viewer.shows?.filter((name) => names.includes(name)) ?? [];
	const { companion: _, ...sections } = { ...demo, ...file };
	return {
		...sections,
		accounts,
		characters,
		applications,
		viewer: { ...viewer, shows: shows.length > 0 ? shows : names.slice(0, 5) },
		...(companion === undefined ? {} : { companion })
	};
}
