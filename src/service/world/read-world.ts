import * as v from 'valibot';
import demoFile from './demo-world.json' with { type: 'json' };
import { worldFile, type WorldFile } from '#api/world/world-file.ts';
import { defaultSandboxes } from '../sandbox/record-limits.ts';
import type { Character } from '../sandbox/records.ts';
import { installedRedirects, isFixedRedirect } from '../sandbox/redirect-uris.ts';
import { completeKinds, validateWorld } from './validate-world.ts';
import { servedFileOf } from '../provider/providers.ts';
import {
	type DemoClient,
	isPng,
	readLogo,
	readPicture,
	readSecret,
	type World,
	type WorldSources,
	type WrittenSecret
} from './world.ts';
import { WorldError, WorldMistakes } from './world-mistakes.ts';
import { mistakeOf, readJson, reservedNamesIn } from '#lib/file/read-json.ts';

/** One for each lesson of a 90-minute workshop, one for free exploration, and some more. */
const sandboxesPerStudent = 10;

type WrittenApplications = NonNullable<WorldFile['applications']>;
type WrittenClient = NonNullable<WorldFile['companion']>;

/** The demo world as a file. It has every section that others refer to. */
const demoSchema = v.required(worldFile, [
	'brand',
	'resource',
	'permissions',
	'accounts',
	'characters',
	'applications',
	'viewer',
	'companion'
]);
let parsedDemo: v.InferOutput<typeof demoSchema> | undefined;

/**
 * Reads a world: what a fresh sandbox is. Sections that are absent are those of the demo world.
 * @param source the text of a world file, or its content
 * @throws WorldError with all mistakes and their places
 */
export function readWorld(source: unknown, sources: WorldSources): World {
	const { file, mistakes, placeOf } = parseValidParts(source);
	const found = new WorldMistakes(file, source);
	const world = completeWorld(file, sources, found);
	validateWorld(world, file, found);
	for (const { place, reason } of found.all) {
		const original = placeOf(place);
		if (original !== undefined) mistakes.add(original, reason);
	}
	mistakes.throwIfAny();
	return world;
}

/** Adds the sections of the demo world that a file does not have, and reads its secrets and logos. */
function completeWorld(file: WorldFile, sources: WorldSources, mistakes: WorldMistakes): World {
	const demo = (parsedDemo ??= v.parse(demoSchema, demoFile));
	const { brand, resource, permissions, accounts, applications, settings = {} } = { ...demo, ...file };
	const usernames = accounts.map(({ username }) => username);
	const characters = file.characters ?? demo.characters.filter(({ player }) => usernames.includes(player));
	const names = characters.map(({ name }) => name);
	const shows = file.viewer?.shows ?? demo.viewer.shows?.filter((name) => names.includes(name)) ?? [];
	const ownClient = (kind: 'web' | 'installed', ofDemo: WrittenClient) =>
		file.applications === undefined ? ofDemo : chooseClient(file.applications, kind, ofDemo.client_id);
	const icons = readIcons(applications, sources, mistakes);
	const viewer = file.viewer ?? ownClient('web', demo.viewer) ?? { client_id: demo.viewer.client_id };
	const companion = file.companion ?? ownClient('installed', demo.companion);
	const secretOf = (secret: WrittenSecret, place: string) =>
		mistakes.attempt(() => readSecret(secret, place, sources), '');
	const hash = (salt: string, secret: string) => ({ salt, digest: sources.digest(`${salt}:${secret}`) });
	const { picture, ...look } = readBrand(brand, sources, mistakes);
	return {
		brand: look,
		picture,
		resource,
		show: file.show,
		texts: file.texts ?? {},
		guide: file.guide,
		provider: file.provider && servedFileOf(file.provider),
		icons,
		permissions: permissions.map(({ opens = [], of = 'own', ...rest }) => ({ ...rest, opens, of })),
		accounts: accounts.map(({ password = 'demo', ...rest }, at) => ({
			...rest,
			password: secretOf(password, `accounts.${at}.password`),
			isPublished: typeof password === 'string'
		})),
		characters: characters.map(({ name, player, fields = {} }): Character => ({ name, player, fields })),
		...completeKinds(file.kinds ?? [], permissions),
		applications: applications.map(({ secret, icon: _icon, redirect_uris = [], ...rest }, at) => ({
			...rest,
			redirect_uris:
				rest.kind === 'installed' && redirect_uris.every(isFixedRedirect) ? [...installedRedirects] : redirect_uris,
			secret: hash(rest.client_id, secretOf(secret, `applications.${at}.secret`))
		})),
		viewer: { ...demoClient(viewer, applications, icons), shows: shows.length > 0 ? shows : names.slice(0, 5) },
		companion: companion && demoClient(companion, applications, icons),
		settings,
		sandboxes: completeSandboxes(file.sandboxes ?? demo.sandboxes)
	};
}

/** The client of a page among a file's own applications. Its secret stays secret. */
function chooseClient(
	applications: WrittenApplications,
	kind: 'web' | 'installed',
	preferred: string
): WrittenClient | undefined {
	const ofKind = applications.filter((application) => application.kind === kind);
	const chosen = ofKind.find(({ client_id }) => client_id === preferred) ?? ofKind[0];
	return chosen && { client_id: chosen.client_id };
}

function completeSandboxes({
	classroom,
	idle_hours = 24,
	self_service = true,
	most,
	per_address
}: WorldFile['sandboxes'] = {}): World['sandboxes'] {
	const ofClassroom = (classroom ?? 0) * sandboxesPerStudent;
	return {
		classroom,
		most: most ?? Math.max(defaultSandboxes, ofClassroom),
		per_address: per_address ?? (classroom === undefined ? undefined : Math.max(60, ofClassroom)),
		idle_hours,
		self_service
	};
}

function readBrand(
	{ logo, picture, ...brand }: NonNullable<WorldFile['brand']>,
	{ readFile }: WorldSources,
	mistakes: WorldMistakes
): World['brand'] & Pick<World, 'picture'> {
	const read = (value: string, place: string) => mistakes.attempt(() => readLogo(value, place, readFile), '');
	const own = picture && mistakes.attempt(() => readPicture(picture, 'brand.picture', readFile), '');
	if (logo === undefined) return { ...brand, picture: own };
	const light = read(logo.light, 'brand.logo.light');
	return {
		...brand,
		logo: { light, ...(logo.dark !== undefined && { dark: read(logo.dark, 'brand.logo.dark') }) },
		picture: own ?? (isPng(light) ? light : undefined)
	};
}

function readIcons(
	applications: WrittenApplications,
	{ readFile }: WorldSources,
	mistakes: WorldMistakes
): World['icons'] {
	return new Map(
		applications.flatMap(({ client_id, icon }, at): [string, string][] => {
			if (icon === undefined) return [];
			const place = `applications.${at}.icon`;
			return [[client_id, mistakes.attempt(() => readLogo(icon, place, readFile), '')]];
		})
	);
}

function demoClient(
	{ client_id, publish_secret = false }: WrittenClient,
	applications: WrittenApplications,
	icons: World['icons']
): DemoClient {
	const application = applications.find((application) => application.client_id === client_id);
	const { name = client_id, secret } = application ?? {};
	return {
		client_id,
		name,
		icon: icons.get(client_id),
		client_secret: publish_secret && typeof secret === 'string' ? secret : undefined
	};
}

/** A parsed file, which has mistakes or is right. */
type ParsedWorld = ValidParts & {
	/** Those that the schema found. */
	readonly mistakes: WorldMistakes;
};

/**
 * Parses a world file. What its parts refer to is not checked.
 * @param source the text, or its content
 * @throws WorldError with all mistakes and their places
 */
export function parseWorldFile(source: unknown): WorldFile {
	const { file, mistakes } = parseValidParts(source);
	mistakes.throwIfAny();
	return file;
}

/**
 * Parses what is right in a world file.
 * @param source the text, or its content
 * @throws WorldError where nothing is
 */
function parseValidParts(source: unknown): ParsedWorld {
	const { content, mistakes: found } =
		typeof source === 'string' ? parseText(source) : { content: source, mistakes: [] };
	if (typeof content !== 'object' || content === null || Array.isArray(content))
		throw new WorldError(undefined, 'It is not a JSON object. Begin with {"format": "tollgate-world", "version": 1}.');
	const mistakes = new WorldMistakes(content, source);
	const { success, output, issues = [] } = v.safeParse(worldFile, content, { abortPipeEarly: true });
	for (const { place, reason } of [...found, ...reservedNamesIn(content), ...issues.map(mistakeOf)])
		mistakes.add(place, reason);
	if (success) return { file: output, placeOf: (place) => place, mistakes };
	const parts = validPartsOf(content);
	if (parts !== undefined) return { ...parts, mistakes };
	mistakes.throwIfAny();
	throw new WorldError(undefined, 'It is not a world file.');
}

function parseText(text: string) {
	const read = readJson(text);
	if ('reason' in read) throw new WorldError(undefined, read.reason);
	return read;
}

/** The parts of a world file that the schema accepts, while others have mistakes. */
type ValidParts = {
	readonly file: WorldFile;
	/**
	 * The place in the whole file. Undefined where a part that is left out decides whether it is a mistake.
	 * @param place in `file`
	 */
	readonly placeOf: (place: string) => string | undefined;
};

/** Mistakes of a place depend on another section. */
const dependencies: readonly (readonly [place: RegExp, section: string])[] = [
	[/^characters\.\d+\.player$/, 'accounts'],
	[/^permissions\.\d+\.opens\./, 'characters'],
	[/^(?:viewer\.shows|resource\.fields)\./, 'characters'],
	[/^(?:viewer|companion)\./, 'applications'],
	[/^kinds\.\d+\.name$/, 'permissions'],
	[/^kinds\.\d+\.records\.\d+\.owner$/, 'accounts'],
	[/^characters$/, 'sandboxes']
];
/** Lists of items that others refer to by one field, which is required. */
const namedLists = new Set(['permissions', 'accounts', 'characters']);

/**
 * Leaves out what the schema rejects: fields, else their items, else their sections.
 * @param content of the file
 * @returns undefined where nothing usable is left
 */
function validPartsOf(content: object): ValidParts | undefined {
	const parts: Record<string, unknown> = { ...content, format: 'tollgate-world', version: 1 };
	const doubtful = new Set<string>();
	const indices = new Map<string, number[]>();
	for (const depth of [3, 2, 1, 0]) {
		const { success, output, issues = [] } = v.safeParse(worldFile, parts, { abortPipeEarly: true });
		if (success) return { file: output, placeOf: (place) => originalPlace(place, doubtful, indices) };
		for (const { path = [] } of issues) {
			const place = path.slice(0, depth).map(({ key }) => String(key));
			const [section = '', , field] = place;
			const isNameKept = place.length === 3 && namedLists.has(section) && field !== 'fields';
			if (!isNameKept) doubtful.add(section);
			leaveOut(parts, place);
		}
		for (const [section, items] of Object.entries(parts)) {
			if (!Array.isArray(items) || !items.includes(undefined)) continue;
			const left = items.flatMap((item, at) => (item === undefined ? [] : [at]));
			const known = indices.get(section);
			indices.set(
				section,
				left.map((at) => known?.[at] ?? at)
			);
			parts[section] = left.map((at): unknown => items[at]);
		}
	}
	return undefined;
}

/** Removes a part. What contains it is copied, because it belongs to the caller. An item of a list leaves a gap. */
function leaveOut(parent: object, [name = '', ...rest]: readonly string[]): void {
	const part: unknown = Reflect.get(parent, name);
	if (rest.length === 0 || typeof part !== 'object' || part === null) {
		Reflect.deleteProperty(parent, name);
		return;
	}
	const copy = Array.isArray(part) ? Object.assign<unknown[], unknown>([], part) : { ...part };
	Reflect.set(parent, name, copy);
	leaveOut(copy, rest);
}

function originalPlace(
	place: string,
	doubtful: ReadonlySet<string>,
	indices: ReadonlyMap<string, readonly number[]>
): string | undefined {
	if (dependencies.some(([pattern, section]) => doubtful.has(section) && pattern.test(place))) return undefined;
	const [section = '', index = '', ...rest] = place.split('.');
	const original = indices.get(section)?.[Number(index)];
	return original === undefined ? place : [section, String(original), ...rest].join('.');
}
