import type { SettingsChange } from '#api/control/settings.ts';
import type { Permission, PublicWorld } from '#api/control/world.ts';
import type { OwnProviderFile } from '#api/world/provider.ts';
import type { WorldFile } from '#api/world/world-file.ts';
import type { KindField } from '#api/world/kinds.ts';
import type { ServedFile } from '../provider/provider-files.ts';
import type { Application, Character, RecordList } from '../sandbox/records.ts';
import { base64 } from '@scure/base';
import { maxLogo } from '#api/world/brand.ts';
import { decodeUtf8 } from '../core/encoding.ts';
import { WorldError } from './world-mistakes.ts';

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

/** What a host provides to read a world. */
export type WorldSources = {
	/** SHA-256 of the text's UTF-8 bytes, in base64url without padding. */
	readonly digest: (text: string) => string;
	/** The value of an environment variable, for `{"env"}`. Absent where the host has none. */
	readonly variable?: (name: string) => string | undefined;
	/**
	 * Reads a file beside the world file, for logos and `{"file"}`. Absent where the host cannot.
	 * @param place in the world file, for the `WorldError` that it throws
	 */
	readonly readFile?: (path: string, place: string) => Uint8Array;
};

export type WrittenSecret = NonNullable<WorldFile['applications']>[number]['secret'];

const longest = 256;

/**
 * The text of a secret, from the file itself, from an environment variable or from another file.
 * @param place in the world file
 * @throws WorldError that does not repeat the secret
 */
export function readSecret(secret: WrittenSecret, place: string, { variable, readFile }: WorldSources): string {
	if (typeof secret === 'string') return secret;
	if ('env' in secret) {
		if (variable === undefined)
			throw new WorldError(place, 'Environment variables cannot be read here. Write the secret as a text.');
		const value = variable(secret.env);
		if (!value) throw new WorldError(place, `The environment variable ${secret.env} is not set. Set it to the secret.`);
		return checked(value, place);
	}
	if (readFile === undefined) throw new WorldError(place, 'Files cannot be read here. Write the secret as a text.');
	return checked(decodeUtf8(readFile(secret.file, place))?.trim() ?? '', place);
}

function checked(value: string, place: string): string {
	if (value !== '' && value.length <= longest) return value;
	throw new WorldError(place, `The secret is empty, longer than ${longest} characters or not UTF-8. Use another one.`);
}

const types = ['image/svg+xml', 'image/png'] as const;
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * A logo as a data URI. It is shown as an image, so no script in it runs.
 * @param value a data URI in base64, or the path of a file
 * @param place in the world file
 * @param readFile reads a file beside the world file; undefined where the host has none
 * @throws WorldError
 */
export function readLogo(value: string, place: string, readFile: WorldSources['readFile']): string {
	if (!value.startsWith('data:')) {
		if (readFile === undefined)
			throw new WorldError(place, 'Files cannot be read here. Write the logo as data:image/svg+xml;base64,… instead.');
		return dataUri(readFile(value, place), place);
	}
	const [, type, content = ''] = /^data:(image\/(?:svg\+xml|png));base64,([A-Za-z0-9+/]+=*)$/.exec(value) ?? [];
	const bytes = type === undefined ? undefined : decode(content);
	if (bytes === undefined)
		throw new WorldError(place, 'It is not a data URI in base64 of the type image/svg+xml or image/png.');
	return dataUri(bytes, place);
}

/** Whether an image that was read is a PNG. */
export function isPng(image: string): boolean {
	return image.startsWith('data:image/png;');
}

/** As `readLogo`, for a picture in previews of links. Programs that show previews do not show an SVG. */
export function readPicture(value: string, place: string, readFile: WorldSources['readFile']): string {
	const picture = readLogo(value, place, readFile);
	if (isPng(picture)) return picture;
	throw new WorldError(place, 'It is no PNG. Programs that show previews of links do not show an SVG.');
}

function dataUri(bytes: Uint8Array, place: string): string {
	if (bytes.length > maxLogo)
		throw new WorldError(
			place,
			`The logo has ${Math.ceil(bytes.length / 1024)} KiB. Use one of at most ${maxLogo / 1024} KiB.`
		);
	const isPng = pngSignature.every((byte, at) => bytes[at] === byte);
	if (!isPng && !/<svg[\s>]/.test(decodeUtf8(bytes) ?? ''))
		throw new WorldError(place, 'The logo is no SVG and no PNG.');
	return `data:${types[isPng ? 1 : 0]};base64,${base64.encode(bytes)}`;
}

function decode(content: string): Uint8Array | undefined {
	try {
		return base64.decode(content);
	} catch {
		return undefined;
	}
}
