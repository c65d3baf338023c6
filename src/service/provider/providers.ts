import { dialectOf, dialects, type Dialect } from '#api/dialect.ts';
import type { DialectData, ProviderEndpoint } from '#api/providers/dialect-schema.ts';
import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';
import type { Surprise } from '#api/providers/provider-file.ts';

/** What the service needs of a file of `src/content/providers`. The build of the pages checks the file. */
type ServedFile = {
	readonly short: string;
	readonly version: number;
	readonly dialect: Partial<DialectData>;
	readonly surprises: readonly Pick<Surprise, 'title' | 'fact' | 'check'>[];
};

/** An endpoint of a provider with what finds it. */
export type Endpoint = ProviderEndpoint & { readonly path: RegExp; readonly host: RegExp };

/** A simulated provider: its dialect, and what its file says of its endpoints and surprises. */
export type Provider = Omit<ServedFile, 'dialect'> & {
	readonly name: string;
	readonly dialect: Dialect;
	readonly endpoints: readonly Endpoint[];
};

const files = import.meta.glob<ServedFile>(
	['../../content/providers/*.yaml', '!../../content/providers/{specification,standard}.yaml'],
	{ eager: true, import: 'default', query: '?dialect' }
);

const providers: ReadonlyMap<string, Provider> = new Map(
	Object.entries(files).map(([path, file]) => {
		const name = path.replace(/^.*\/|\.yaml$/g, '');
		return [name, toProvider(name, file)];
	})
);

/** The names of all simulated providers. */
export const providerNames: readonly string[] = [...providers.keys()];

/** The provider with this name; undefined for a dialect of our own, and for an unknown name. */
export function findProvider(name: string | undefined): Provider | undefined {
	return name === undefined ? undefined : providers.get(name);
}

/**
 * The names in an option `as`.
 * @throws TypeError for a provider that is not simulated, with the list of those that are
 */
export function readProviderNames(as: string | readonly string[]): readonly string[] {
	const names = typeof as === 'string' ? [as] : as;
	const unknown = names.find((name) => !providers.has(name));
	if (unknown === undefined) return names;
	throw new TypeError(`No provider "${unknown}" is simulated. Use one of ${providerNames.join(', ')}.`);
}

/** What a sandbox speaks that has these settings. */
export function spokenDialect(settings: Parameters<typeof dialectOf>[0]): Dialect {
	return findProvider(settings.dialect)?.dialect ?? dialectOf(settings);
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
	return { ...file, name, endpoints, dialect: { ...dialects.standard, ...own } };
}

function patternOf(text: string, variable: string): RegExp {
	const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
	return new RegExp(`^${parts.join(variable)}$`);
}
