import { http, type HttpHandler } from 'msw';
import type { Service } from '#service/service.ts';
import { respond, type Wire } from './exchange.ts';

/** Any address. Not '*', for which MSW decodes the path, and fails where that can't be. */
const any = /^/;

/**
 * The service as MSW's request handlers. One handler takes every method and path, so that the service's own table decides
 * about slashes, letter case and encoding; what is not the service's goes on to the next handler.
 * @param service that answers
 * @param takes whether a request is the service's
 * @param wire how requests stand on the wire
 */
export function handlersOf(service: Service, takes: (url: URL) => boolean, wire: Wire): HttpHandler[] {
	return [http.all(any, ({ request }) => (takes(new URL(request.url)) ? respond(service, request, wire) : undefined))];
}
