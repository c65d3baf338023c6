import { dialectOf, dialects, isDialectName, ownProvider, type Dialect } from '#api/dialect.ts';
import type { ProviderEndpoint } from '#api/providers/dialect-schema.ts';
import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';
import type { ServiceOptions } from '../core/options.ts';
import type { World } from '../world/world.ts';
import { providerFiles, type ProviderFiles, type ServedFile } from './provider-files.ts';

/** An endpoint of a provider with what finds it. */
export type Endpoint = ProviderEndpoint & { readonly path: RegExp; readonly host: RegExp };

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
