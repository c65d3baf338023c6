import { defaultSandboxes } from '../sandbox/record-limits.ts';
import type { Character } from '../sandbox/records.ts';
import { installedRedirects } from '../sandbox/redirect-uris.ts';
import { checkReferences } from './check-references.ts';
import { completeFile, type CompleteWorldFile } from './complete-file.ts';
import demoFile from './demo-world.json' with { type: 'json' };
import { parseWorldFile } from './parse-world-file.ts';
import { readLogo } from './read-logo.ts';
import { readSecret, type WrittenSecret } from './read-secret.ts';
import type { DemoClient, World } from './world.ts';
import { WorldError } from './world-error.ts';
import { WorldMistakes } from './world-mistakes.ts';
import type { WorldSources } from './world-sources.ts';

/** One for each lesson of a 90-minute workshop, one for free exploration, and some more. */
const sandboxesPerStudent = 10;

/**
 * Reads a world: what a fresh sandbox is. Sections that are absent are those of the demo world.
 * @param source the text of a world file, or its content
 * @throws WorldError with all mistakes and their places
 */
export function readWorld(source: unknown, sources: WorldSources): World {
	const given = parseWorldFile(source);
	const file = completeFile(given, demo());
	const { classroom, idle_hours = 24, self_service = true } = file.sandboxes ?? {};
	const ofClassroom = (classroom ?? 0) * sandboxesPerStudent;
	const { most = Math.max(defaultSandboxes, ofClassroom) } = file.sandboxes ?? {};
	const { per_address = classroom === undefined ? undefined : Math.max(60, ofClassroom) } = file.sandboxes ?? {};
	const mistakes = new WorldMistakes(file);
	checkReferences(file, given, most, mistakes);
	const secretOf = (secret: WrittenSecret, place: string) =>
		mistakes.attempt(() => readSecret(secret, place, sources), '');
	const hash = (salt: string, secret: string) => ({ salt, digest: sources.digest(`${salt}:${secret}`) });
	const { viewer, companion, brand, applications } = file;
	const world: World = {
		brand: readBrand(brand, sources, mistakes),
		resource: file.resource,
		permissions: file.permissions.map(({ opens = [], of = 'own', ...rest }) => ({ ...rest, opens, of })),
		accounts: file.accounts.map(({ password = 'demo', ...rest }, at) => ({
			...rest,
			password: secretOf(password, `accounts.${at}.password`),
			isPublished: typeof password === 'string'
		})),
		characters: file.characters.map(({ name, player, fields = {} }): Character => ({ name, player, fields })),
		applications: applications.map(({ secret, redirect_uris, ...rest }, at) => ({
			...rest,
			redirect_uris: rest.kind === 'installed' ? [...installedRedirects] : (redirect_uris ?? []),
			secret: hash(rest.client_id, secretOf(secret, `applications.${at}.secret`))
		})),
		viewer: { ...demoClient(viewer, applications), shows: viewer.shows ?? [] },
		...(companion === undefined ? {} : { companion: demoClient(companion, applications) }),
		settings: file.settings ?? {},
		sandboxes: {
			most,
			idle_hours,
			self_service,
			...(classroom === undefined ? {} : { classroom }),
			...(per_address === undefined ? {} : { per_address })
		}
	};
	mistakes.throwIfAny();
	return world;
}

let parsedDemo: CompleteWorldFile | undefined;

/** The demo world as a file. */
function demo(): CompleteWorldFile {
	if (parsedDemo !== undefined) return parsedDemo;
	const { brand, resource, permissions, accounts, characters, applications, viewer, ...rest } =
		parseWorldFile(demoFile);
	if (!brand || !resource || !permissions || !accounts || !characters || !applications || !viewer)
		throw new WorldError(undefined, 'The demo world is incomplete.');
	return (parsedDemo = { ...rest, brand, resource, permissions, accounts, characters, applications, viewer });
}

function readBrand(
	{ logo, ...brand }: CompleteWorldFile['brand'],
	{ readFile }: WorldSources,
	mistakes: WorldMistakes
): World['brand'] {
	if (logo === undefined) return brand;
	const read = (value: string, place: string) => mistakes.attempt(() => readLogo(value, place, readFile), '');
	const light = read(logo.light, 'brand.logo.light');
	return { ...brand, logo: { light, ...(logo.dark !== undefined && { dark: read(logo.dark, 'brand.logo.dark') }) } };
}

function demoClient(
	{ client_id, publish_secret = false }: CompleteWorldFile['viewer'],
	applications: CompleteWorldFile['applications']
): DemoClient {
	const { name = client_id, secret } = applications.find((one) => one.client_id === client_id) ?? {};
	return { client_id, name, ...(publish_secret && typeof secret === 'string' ? { client_secret: secret } : {}) };
}
