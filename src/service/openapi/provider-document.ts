import { isObject, referencedSchemas } from './sandbox-document.ts';

import { examplePath, findProvider, settingsSurface } from '../provider/providers.ts';
import type { World } from '../world/world.ts';
import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';

/** What an endpoint of a provider is for. */
const summaries: Readonly<Record<EndpointKind, string>> = {
	authorize: 'Authorization',
	token: 'Tokens',
	revoke: 'Revocation',
	api: 'A resource of the API',
	keys: 'Keys of ID tokens',
	metadata: 'Metadata',
	device: 'Codes of a device',
	introspect: 'Introspection'
};
const posted: ReadonlySet<EndpointKind> = new Set(['token', 'revoke', 'device', 'introspect']);

/**
 * The OpenAPI document of a sandbox that speaks like a simulated provider: with the endpoints of the provider in place of ours, which
 * respond as the file of the provider says.
 * @param document of the sandbox in the dialect that the provider extends, as JSON
 * @param spoken the name of the provider. Undefined: the sandbox speaks a dialect of our own
 * @param world may describe that provider
 * @returns JSON
 */
export function documentOfProvider(
	document: string,
	spoken: string | undefined,
	world: Pick<World, 'provider'> = {}
): string {
	const provider = findProvider(spoken, world);
	if (provider === undefined) return document;
	const { name, short, endpoints } = provider;
	const whole: unknown = JSON.parse(document);
	const { components, paths, ...rest } = isObject(whole) ? whole : {};
	const kept = Object.entries(isObject(paths) ? paths : {}).filter(
		([path]) => settingsSurface({ dialect: name }, path, world) === undefined
	);
	const own = endpoints.map((endpoint) => {
		const { kind } = endpoint;
		const summary = `${short}: ${summaries[kind].toLowerCase()}`;
		const operation = {
			summary,
			description: `As the file of ${short} says: ${endpoint.url}.`,
			security: [],
			responses: { default: { description: 'The response of the provider.' } }
		};
		return [`/as/${name}${examplePath(endpoint)}`, { [posted.has(kind) ? 'post' : 'get']: operation }] as const;
	});
	const items = Object.fromEntries<unknown>([...kept, ...own]);
	const { schemas, ...others } = isObject(components) ? components : {};
	const used = referencedSchemas(isObject(schemas) ? schemas : {}, JSON.stringify(items));
	return JSON.stringify({ ...rest, paths: items, components: { ...others, schemas: used } });
}
