import type { HttpHandler } from 'msw';
import { createHandlers } from '../msw/handlers.ts';
import type { TollgateService } from './tollgate.ts';

/** Where requests come from. */
export type HandlerOptions = {
	/** The network address of all requests. Default: `127.0.0.1`. Limits are counted by it. */
	readonly address?: string;
};

/**
 * The service as MSW's request handlers, for `setupServer` and `setupWorker`. They take every request to the service's origin,
 * and leave all others to the handlers after them. A blacklisted client sees a network error.
 * @param service created by `createService`
 * @example
 * const service = createService();
 * const server = setupServer(...handlers(service));
 * server.listen();
 * await fetch(`${service.origin}/ratelimiting`);
 */
export function handlers(service: TollgateService, { address = '127.0.0.1' }: HandlerOptions = {}): HttpHandler[] {
	return createHandlers(service.handle, (url) => url.origin === service.origin, { base: '', peer: address });
}
