import { endpointKinds, type EndpointKind } from '#api/providers/endpoint-kinds.ts';
import type { Settings } from '#api/control/settings.ts';
import { decodePercent } from '#lib/percent.ts';
import type { World } from '../world/world.ts';
import { endpointOf, findProvider, type Endpoint, type Provider } from './providers.ts';

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
