import { readProviderNames } from '#service/provider/providers.ts';
import { providerHostHeader, providerTarget } from '#service/provider/provider-urls.ts';
import { http, type HttpHandler } from 'msw';
import { handleFetch, type AdapterOptions, type Handle } from '../msw/fetch-adapter.ts';
import type { TollgateService } from './tollgate.ts';

/** Where requests come from, and which providers are simulated. */
export type HandlerOptions = {
	/** The network address of all requests. Default: `127.0.0.1`. Limits are counted by it. */
	readonly address?: string;
	/** Simulated providers, whose real URLs the service takes: `'github'`, or `['github', 'google']`. */
	readonly as?: string | readonly string[];
	/** Base URL of the sandbox of the service that simulates them, such as `baseUrl` of an exam. Default: the root sandbox. */
	readonly url?: string;
};

/**
 * The service as MSW's request handlers, for `setupServer` and `setupWorker`. They take every request to the service's origin and to the
 * hosts of the providers in `as`, and leave all others to the handlers after them. A blacklisted client sees a network error.
 * @param service created by `createService`
 * @throws TypeError for a provider that is not simulated
 * @example
 * const service = createService();
 * const server = setupServer(...handlers(service, { as: 'github' }));
 * server.listen();
 * await fetch('https://api.github.com/user');
 */
export function handlers(
	service: TollgateService,
	{ address = '127.0.0.1', as = [], url: sandbox = service.origin }: HandlerOptions = {}
): HttpHandler[] {
	const names = readProviderNames(as);
	const options = { base: '', peer: address };
	const base = new URL(sandbox).pathname.replace(/\/+$/, '');
	return [
		...createHandlers(service.handle, (url) => url.origin === service.origin, options),
		...createHandlers(service.handle, (url) => providerTarget(url, names) !== undefined, {
			...options,
			targetOf: (url) => base + (providerTarget(url, names) ?? url.pathname),
			addedHeaders: ({ url }) => [providerHostHeader, new URL(url).host]
		})
	];
}

/** Any URL. MSW decodes the path for '*', and throws where it cannot be decoded. */
const anyUrl = /^/;

/**
 * The service as MSW request handlers. One handler takes every method and path, so that the service's own route table decides
 * about slashes, letter case and encoding. Other requests go on to the next handler.
 * @param handle handles one request, usually `service.handle`
 * @param matches whether a URL is the service's
 * @param options how requests reach the service
 */
function createHandlers(handle: Handle, matches: (url: URL) => boolean, options: AdapterOptions): HttpHandler[] {
	return [
		http.all(anyUrl, ({ request }) =>
			matches(new URL(request.url)) ? handleFetch(handle, request, options) : undefined
		)
	];
}
