import { http, type HttpHandler } from 'msw';
import { handleFetch, type AdapterOptions, type Handle } from './fetch-adapter.ts';

/** Any URL. MSW decodes the path for '*', and throws where it cannot be decoded. */
const anyUrl = /^/;

/**
 * The service as MSW request handlers. One handler takes every method and path, so that the service's own route table decides
 * about slashes, letter case and encoding. Other requests go on to the next handler.
 * @param handle handles one request, usually `service.handle`
 * @param matches whether a URL is the service's
 * @param options how requests reach the service
 */
export function createHandlers(handle: Handle, matches: (url: URL) => boolean, options: AdapterOptions): HttpHandler[] {
	return [
		http.all(anyUrl, ({ request }) =>
			matches(new URL(request.url)) ? handleFetch(handle, request, options) : undefined
		)
	];
}
