import * as v from 'valibot';
import { type Dialect, dialectOf, dialects, isDialectName, ownProvider } from '#api/dialect.ts';
import type { ProviderEndpoint } from '#api/providers/dialect-schema.ts';
import { type EndpointKind, endpointKinds } from '#api/providers/endpoint-kinds.ts';
import type { ServiceOptions } from '../core/options.ts';
import type { World } from '../world/world.ts';
import { providerFiles, type ProviderFiles, type ServedFile } from './provider-files.ts';
import { ownProviderFile, type OwnProviderFile } from '#api/world/provider.ts';
import type { Settings } from '#api/control/settings.ts';
import { decodePercent } from '#lib/percent.ts';

/** Where a request reaches a simulated provider. */
export type Surface = {
	readonly provider: Provider;
	/** Undefined where the file of the provider has nothing at the path. */
	readonly endpoint: Endpoint | undefined;
	/** The path of the forms of its pages, below the base URL of the sandbox. */
	readonly formPath: string;
};

/** Our path for each kind of endpoint. */
const ourPaths: Readonly<Record<EndpointKind, string>> = {
	authorize: '/ws/oauth2/auth/',
	token: '/ws/oauth2/token/',
	revoke: '/ws/oauth2/revoke',
	api: '/ws/oauth2/userinfo',
	keys: '/ws/oauth2/jwks',
	metadata: '/.well-known/openid-configuration',
	device: '/ws/oauth2/device_authorization',
	introspect: '/ws/oauth2/introspect'
};
const kindsByPath: ReadonlyMap<string, EndpointKind> = new Map(
	endpointKinds.map((kind) => [ourPaths[kind].replace(/\/$/, ''), kind])
);

/** The provider in a path, and the path at it. */
const below = /^\/as\/([a-z0-9-]+)(\/.*)?$/;

/** The name of a provider in a path below the base URL: `/as/github/login/oauth/access_token`. It may be unknown. */
export function namedProvider(path: string): string | undefined {
	return below.exec(path)?.[1];
}

/** A request below `/as/NAME`, and the path of ours that it means. */
export type NamedSurface = Surface & { readonly path: string };

/**
 * The provider that a path below the base URL names.
 * @param world of the sandbox
 * @returns undefined where it names none
 */
export function namedSurface(path: string, world: World | undefined): NamedSurface | undefined {
	if (!path.startsWith('/as/')) return undefined;
	const [, name, rest = '/'] = below.exec(path) ?? [];
	const provider = findProvider(name, world);
	if (provider === undefined) return undefined;
	const decoded = decodePercent(rest, false) ?? rest;
	const endpoint = provider.endpoints.find((one) => one.path.test(decoded));
	return { provider, endpoint, formPath: path, path: endpoint === undefined ? path : ourPaths[endpoint.kind] };
}

/** The provider that a sandbox speaks like at its own paths. */
export function settingsSurface(
	{ dialect }: Pick<Settings, 'dialect'>,
	path: string,
	world: Pick<World, 'provider'>
): Surface | undefined {
	const provider = findProvider(dialect, world);
	const kind = provider && kindsByPath.get(path.replace(/\/$/, ''));
	if (provider === undefined || kind === undefined) return undefined;
	return { provider, endpoint: endpointOf(provider, kind), formPath: ourPaths.authorize };
}

/** An endpoint of a provider with what finds it. */
type Endpoint = ProviderEndpoint & { readonly path: RegExp; readonly host: RegExp };

/** A simulated provider: its dialect, and what its file says of its endpoints and surprises. */
export type Provider = Omit<ServedFile, 'dialect'> & {
	readonly name: string;
	readonly dialect: Dialect;
	readonly endpoints: readonly Endpoint[];
};

let providers = providerFiles && compile(providerFiles);
let loading: Promise<void> | undefined;

function compile(files: ProviderFiles): ReadonlyMap<string, Provider> {
	return new Map(Object.entries(files).map(([name, file]) => [name, toProvider(name, file)]));
}

/**
 * Loads the files of all providers where they are apart from the program, and none of them was needed so far.
 * @param name what a request needs
 * @returns undefined where there is nothing to wait for
 */
export function loadProviders(name: string | undefined, load: ServiceOptions['providers']): Promise<void> | undefined {
	if (providers !== undefined || load === undefined || name === undefined) return undefined;
	if (name === ownProvider || isDialectName(name)) return undefined;
	return (loading ??= load().then(
		(files) => void (providers = compile(files)),
		(reason: unknown) => {
			loading = undefined;
			throw reason;
		}
	));
}

/** The names of all simulated providers. */
export function providerNames(): string[] {
	return [...(providers?.keys() ?? [])];
}

/** That of a sandbox of another process, where a program leads requests to it. */
let described: Provider | undefined;

/** Says what `ownProvider` is where there is no world: in a program that leads requests to a sandbox of another process. */
export function describeOwn(file: ServedFile): void {
	described = toProvider(ownProvider, file);
}

/** Those of worlds, by what their file says. */
const ofWorlds = new WeakMap<ServedFile, Provider>();

/**
 * The provider with this name; undefined for a dialect of our own, and for an unknown name.
 * @param world may describe one
 */
export function findProvider(name: string | undefined, world?: Pick<World, 'provider'>): Provider | undefined {
	if (name !== ownProvider) return name === undefined ? undefined : providers?.get(name);
	if (world === undefined) return described;
	const file = world.provider;
	if (file === undefined) return undefined;
	const provider = ofWorlds.get(file) ?? toProvider(name, file);
	ofWorlds.set(file, provider);
	return provider;
}

/**
 * The names in an option `as`.
 * @throws TypeError for a provider that is not simulated, with the list of those that are
 */
export function readProviderNames(as: string | readonly string[]): readonly string[] {
	const names = typeof as === 'string' ? [as] : as;
	const unknown = names.find((name) => findProvider(name) === undefined);
	if (unknown === undefined) return names;
	throw new TypeError(`No provider "${unknown}" is simulated. Use one of ${providerNames().join(', ')}.`);
}

/** What a sandbox speaks that has these settings and this world. */
export function spokenDialect(settings: Parameters<typeof dialectOf>[0], world: Pick<World, 'provider'>): Dialect {
	return findProvider(settings.dialect, world)?.dialect ?? dialectOf(settings);
}

/** The endpoint of a kind that a provider names first. */
export function endpointOf({ endpoints }: Provider, kind: EndpointKind): Endpoint | undefined {
	return endpoints.find((one) => one.kind === kind);
}

/** The path of an endpoint at the provider, with a usual value for each variable part. */
export function examplePath({ url }: Pick<ProviderEndpoint, 'url'>): string {
	return url.replace(/^https:\/\/[^/]*/, '').replace(/\{(\w+)\}/g, '$1');
}

function toProvider(name: string, { dialect: own, ...file }: ServedFile): Provider {
	const endpoints = (own.endpoints ?? []).map((endpoint): Endpoint => {
		const [, host = '', path = ''] = /^https:\/\/([^/]*)(.*)$/.exec(endpoint.url) ?? [];
		return { ...endpoint, host: patternOf(host, '[a-z0-9.-]+'), path: patternOf(path, '[^/]+') };
	});
	return { ...file, name, endpoints, dialect: Object.assign({}, dialects.standard, own) };
}

function patternOf(text: string, variable: string): RegExp {
	const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
	return new RegExp(`^${parts.join(variable)}$`);
}

/** What the service needs of the API that a world describes, beside what its file says. */
export function servedFileOf(file: OwnProviderFile): OwnProviderFile & ServedFile {
	return { surprises: [], ...file, short: file.title, version: 1 };
}

/**
 * What `GET /control/provider` says of a world.
 * @throws v.ValiError where it is no description
 */
export function worldOf(provider: unknown): Pick<World, 'provider'> {
	return provider === undefined ? {} : { provider: servedFileOf(v.parse(ownProviderFile, provider)) };
}
