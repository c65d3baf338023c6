import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';
import { ownProvider } from '#api/dialect.ts';
import { otherIssuer } from '#api/agent-faults.ts';
import { headerValue } from '#api/headers.ts';
import type { Context } from '../core/context.ts';
import { hasAgentFault } from '../sandbox/agent-faults.ts';
import { findProvider, type Provider } from './providers.ts';

type Sent = Pick<Context, 'surface' | 'received'>;
/** What of a request says where a provider is for its client. */
type Placed = Sent & Pick<Context, 'sandbox'>;

/** A part of a URL that is any text. */
const variable = /\{(\w+)\}/g;

/** Says which host of a provider a request was sent to, where it was not sent to the sandbox (as a proxy does). */
export const providerHostHeader = 'x-forwarded-host';

/** The request target of the service for a URL of a provider. Undefined: none of these providers has the host. */
export function providerTarget(url: URL, names: readonly string[]): string | undefined {
	const having = names.flatMap((name) => findProvider(name) ?? []).filter((one) => hasHost(one, url.host));
	const fitting = having.find(({ endpoints }) => endpoints.some(({ path }) => path.test(url.pathname)));
	const provider = fitting ?? having[0];
	return provider && `/as/${provider.name}${url.pathname}${url.search}`;
}

/** Whether a provider has a host. */
function hasHost({ endpoints }: Provider, host: string): boolean {
	return endpoints.some((endpoint) => endpoint.host.test(host));
}

/** The host of the provider that a request was sent to; undefined where it was sent to the sandbox. */
function realHost({ surface, received }: Sent): string | undefined {
	const host = headerValue(received.headers, providerHostHeader);
	// Clients reach the API of a world below the sandbox only. A reverse proxy sends its own host in this header.
	const isThere = host !== undefined && surface !== undefined && surface.provider.name !== ownProvider;
	return isThere && hasHost(surface.provider, host) ? host : undefined;
}

/** Whether a request was sent to the real URL of its provider. */
export function isAtRealUrl(context: Sent): boolean {
	return realHost(context) !== undefined;
}

/** Where the forms of a page are sent: to the provider where the page is there, so that its cookies come with them. */
export function formUrlOf(context: Placed, ourPath: string): string {
	const { formPath = ourPath, provider } = context.surface ?? {};
	const [host, below] = [realHost(context), `/as/${provider?.name ?? ''}/`];
	if (host === undefined || !formPath.startsWith(below)) return context.sandbox.base_url + formPath;
	return `https://${host}/${formPath.slice(below.length)}`;
}

/** The hosts of providers as their files write them: `{tenant}` is any part. */
export function hostsOf(names: readonly string[]): string[] {
	const endpoints = names.flatMap((name) => findProvider(name)?.endpoints ?? []);
	return [...new Set(endpoints.map(({ url }) => url.slice('https://'.length).replace(/\/.*/, '')))];
}

/** A URL of the file of a provider, below the sandbox where its client is there. */
function placeOf(context: Placed, url: string, base = context.sandbox.base_url): string {
	return isAtRealUrl(context)
		? url
		: url.replace(/^https:..[^/]*/, `${base}/as/${context.surface?.provider.name ?? ''}`);
}

/** What a request has in place of the names in braces of its endpoint: `{ tenant: 'common' }`. */
export function partsOfUrl(context: Placed): Readonly<Record<string, string>> {
	const pattern = placeOf(context, context.surface?.endpoint?.url ?? '', '').replace(variable, '(?<$1>[^/]+)');
	return new RegExp(`${pattern}$`).exec(formUrlOf(context, ''))?.groups ?? {};
}

/** A URL of a provider where the client reaches it. Names without a part stay in braces. */
function urlAt(context: Placed, url: string): string {
	const parts = partsOfUrl(context);
	return placeOf(context, url).replace(variable, (braces, part: string) => parts[part] ?? braces);
}

/** The endpoint of a kind at the server that a request was sent to. A provider may have several, such as one for each realm. */
function urlBeside(context: Placed, kind: EndpointKind): string | undefined {
	const urls = (context.surface?.provider.endpoints ?? []).flatMap((one) =>
		one.kind === kind ? urlAt(context, one.url) : []
	);
	return (urls.find((url) => !url.includes('{')) ?? urls[0])?.replace(/[{}]/g, '');
}

/** Whether one of these providers has a host, without its port. */
export function haveHost(names: readonly string[], host: string): boolean {
	return names.some((name) => findProvider(name)?.endpoints.some((endpoint) => endpoint.host.test(host)) === true);
}

/** The issuer: that of the provider at its real URLs, else a URL below the sandbox. Without one in the file, the URL of its metadata. */
export function issuerOfProvider(context: Placed): string | undefined {
	const { provider } = context.surface ?? {};
	if (provider === undefined) return undefined;
	const { issuer } = provider.dialect.idToken ?? {};
	if (issuer !== undefined) return urlAt(context, issuer);
	const metadata = urlBeside(context, 'metadata') ?? `${context.sandbox.base_url}/as/${provider.name}`;
	return metadata.replace('/.well-known/openid-configuration', '');
}

/** Where the first API of a provider is, without a path. */
export function apiOfProvider(context: Placed): string | undefined {
	const api = context.surface?.provider.endpoints.find(({ kind }) => kind === 'api');
	return api && placeOf(context, api.url.replace(/(\w)\/.*/, '$1')).replace(/[{}]/g, '');
}

/** The metadata of a provider: its endpoints where the client reaches them, and nothing that its file does not have. */
export function metadataOfProvider(context: Context, ours: Readonly<Record<string, unknown>>): object {
	const { provider } = context.surface ?? {};
	if (provider === undefined) return ours;
	const { authentication, scopes, iss } = provider.dialect;
	const {
		response_types_supported,
		subject_types_supported,
		id_token_signing_alg_values_supported,
		code_challenge_methods_supported
	} = ours;
	const urlOf = (kind: EndpointKind) => urlBeside(context, kind);
	return {
		issuer: hasAgentFault(context, 'metadata_issuer') ? otherIssuer : issuerOfProvider(context),
		authorization_endpoint: urlOf('authorize'),
		token_endpoint: urlOf('token'),
		revocation_endpoint: urlOf('revoke'),
		userinfo_endpoint: scopes?.known.includes('openid') === true ? urlOf('api') : undefined,
		jwks_uri: urlOf('keys'),
		response_types_supported,
		subject_types_supported,
		id_token_signing_alg_values_supported,
		code_challenge_methods_supported,
		scopes_supported: scopes?.known.filter((name) => !name.endsWith('*')),
		token_endpoint_auth_methods_supported: authentication.map((method) =>
			method === 'none' ? 'none' : `client_secret_${method}`
		),
		authorization_response_iss_parameter_supported: iss
	};
}
