import { mapValues } from '#lib/map-values.ts';
import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';
import { isProvider, loadProvider } from '../providers/provider-files.ts';
import type { RequestDraft } from './draft.ts';
import type { Drafts } from './drafts.ts';
import type { RequestKind } from './request-kinds.ts';

/** What a sandbox has of a simulated provider for requests. */
export type BuilderProvider = {
	/** Below the base URL, for each kind of request that the provider has. */
	readonly paths: Partial<Record<RequestKind, string>>;
	/** What an example asks for. */
	readonly scope: string;
};

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
export async function readProviderRequests(name: string | undefined): Promise<BuilderProvider | undefined> {
	if (name === undefined || !isProvider(name)) return undefined;
	const { dialect, exampleScope = '' } = await loadProvider(name);
	const paths: Partial<Record<RequestKind, string>> = {};
	for (const { kind, url } of dialect.endpoints ?? [])
		for (const request of requests[kind] ?? [])
			paths[request] ??= `/as/${name}${url.replace(/^https:\/\/[^/]*/, '').replace(/\{(\w+)\}/g, '$1')}`;
	if (dialect.refreshFor === 'never') delete paths.refresh;
	return { paths, scope: exampleScope };
}

/** The requests at the paths of a provider. Those that it does not have are unchanged, and not offered. */
export function atProvider(drafts: Drafts, { paths }: BuilderProvider): Drafts {
	return mapValues(drafts, (draft, kind): RequestDraft => {
		const path = paths[kind];
		if (path === undefined) return draft;
		return { ...draft, path, parameters: draft.parameters.filter((one) => one.in !== 'path') };
	});
}
