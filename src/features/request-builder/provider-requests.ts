import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { isProvider, loadProvider } from '../providers/provider-files.ts';
import type { BuilderProvider, RequestKind } from './request-kinds.ts';

/** The requests of an endpoint. A refresh needs refresh tokens. */
const requests: Readonly<Partial<Record<EndpointKind, readonly RequestKind[]>>> = {
	authorize: ['authorization'],
	token: ['exchange', 'refresh'],
	api: ['character'],
	revoke: ['revoke'],
	introspect: ['introspection']
};

/**
 * Reads the requests of the provider that a sandbox speaks like.
 * @returns undefined where it speaks a dialect of our own
 */
export async function readProviderRequests(
	name: string | undefined,
	api: ControlApi
): Promise<BuilderProvider | undefined> {
	if (name === undefined || !isProvider(name)) return undefined;
	const { dialect, exampleScope = '' } = await loadProvider(name, api);
	const paths: Partial<Record<RequestKind, string>> = {};
	for (const { kind, url } of dialect.endpoints ?? [])
		for (const request of requests[kind] ?? [])
			paths[request] ??= `/as/${name}${url.replace(/^https:\/\/[^/]*/, '').replace(/\{(\w+)\}/g, '$1')}`;
	if (dialect.refreshFor === 'never') delete paths.refresh;
	return { paths, scope: exampleScope };
}
