import type { SettingsChange } from '#api/control/settings.ts';
import type { Permission, PublicWorld } from '#api/control/world.ts';
import type { OwnProviderFile } from '#api/world/provider.ts';
import type { WorldFile } from '#api/world/world-file.ts';
import type { KindField } from '#api/world/kinds.ts';
import type { ServedFile } from '../provider/provider-files.ts';
import type { Application, Character, RecordList } from '../sandbox/records.ts';

type Section<K extends keyof WorldFile> = NonNullable<WorldFile[K]>;

export type WorldAccount = Readonly<Omit<Section<'accounts'>[number], 'password'>> & {
	readonly password: string;
	/** Whether every visitor gets the password. */
	readonly isPublished: boolean;
};

/** The client of one of our own pages. */
export type DemoClient = {
	readonly client_id: string;
	readonly name: string;
	/** A data URI. */
	readonly icon?: string | undefined;
	/** Only if every visitor gets it. */
	readonly client_secret?: string | undefined;
};

/** A kind of resources, with its defaults. */
export type Kind = {
	readonly name: string;
	readonly singular: string;
	readonly plural: string;
	readonly fields: Readonly<Record<string, KindField>>;
	/** Requests of an address in one window. */
	readonly limit: number;
	/** How many requests one counts as. */
	readonly cost: { readonly list: number; readonly item: number; readonly write: number };
	/** Whether a permission writes it. */
	readonly isWritable: boolean;
};

/** A world file that was read, completed and checked: what a fresh sandbox is. Secrets are hashed, except published ones. */
export type World = {
	/** Logos are data URIs. */
	readonly brand: Omit<Section<'brand'>, 'picture'>;
	/** The picture in previews of links: a PNG as a data URI. */
	readonly picture?: string | undefined;
	readonly resource: Section<'resource'>;
	/** The areas that pages link to. Absent: all. */
	readonly show?: Section<'show'> | undefined;
	readonly texts: Section<'texts'>;
	readonly guide?: Section<'guide'> | undefined;
	/** How the owner's own API speaks. */
	readonly provider?: (OwnProviderFile & ServedFile) | undefined;
	readonly permissions: readonly Permission[];
	readonly accounts: readonly WorldAccount[];
	readonly characters: readonly Character[];
	readonly kinds: readonly Kind[];
	/** The records of all kinds. */
	readonly lists: readonly RecordList[];
	/** Icons of applications as data URIs, by `client_id`. */
	readonly icons: ReadonlyMap<string, string>;
	/** Redirect URIs may start with `{base_url}`. */
	readonly applications: readonly Omit<Application, 'registered' | 'address'>[];
	readonly viewer: DemoClient & { readonly shows: readonly string[] };
	readonly companion?: DemoClient | undefined;
	readonly settings: SettingsChange;
	readonly sandboxes: {
		/** How many students share one network address; undefined if unknown. */
		readonly classroom?: number | undefined;
		readonly most: number;
		/** Of one address. Default: that of the quotas. */
		readonly per_address?: number | undefined;
		readonly idle_hours: number;
		readonly self_service: boolean;
	};
};

/** What a sandbox has now. Its owner may have changed it. */
type Present = { readonly permissions: readonly Permission[]; readonly characters: readonly Character[] };

/**
 * What every visitor may know of a world.
 * @param present what the sandbox has; that of a fresh one by default
 */
export function toPublicWorld(world: World, present: Present = world): PublicWorld {
	const { brand, picture, resource, show, kinds, accounts, viewer, companion } = world;
	const shown = present.characters.filter(({ name }) => viewer.shows.includes(name));
	return {
		brand,
		resource,
		...(picture !== undefined && { picture: 'picture.png' }),
		...(show && { show: [...show] }),
		...(kinds.length > 0 && { kinds: [...kinds] }),
		permissions: [...present.permissions],
		accounts: accounts.map(({ username, name = username, email, note, password, isPublished }) => ({
			username,
			name,
			email,
			note,
			password: isPublished ? password : undefined
		})),
		viewer: { ...viewer, shows: [...viewer.shows] },
		companion,
		characters: shown.map(({ name, player }) => ({ name, player }))
	};
}
