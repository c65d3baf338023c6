import type { DialectPart } from '#api/providers/dialect-schema.ts';
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
	const { required = [] } = dialect.request?.authorize ?? {};
	const asked = exampleScope.split(/[ ,]/);
	const needed = required.filter(({ scopes }) => scopes === undefined || scopes.some((one) => asked.includes(one)));
	return {
		paths,
		scope: exampleScope,
		required: needed.map(({ name, value }) => [name, value] as const),
		mistakes: mistakesAt(dialect)
	};
}

/** The ids of the mistakes of the request builder that a provider rejects as the standards do. */
export function mistakesAt({ redirectUri, scopes, secretJwt }: DialectPart): readonly string[] {
	return [
		...['redirect_scheme', 'unknown_client', 'plain_challenge', 'response_type_token', 'missing_token'],
		...(redirectUri?.match === 'deeper' ? [] : ['redirect_slash']),
		...(scopes?.unknown === 'ignored' ? [] : ['unknown_scope']),
		// The builder signs no secret.
		...(secretJwt === undefined ? atToken : [])
	];
}
const atToken = [
	...['other_redirect_uri', 'wrong_verifier', 'missing_verifier'],
	...['secret_of_other', 'code_twice', 'method_get', 'expired_token']
];
