import type { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { RequestEvent } from '@sveltejs/kit';

/** Under which `npm run dev` keeps the requests under way: SvelteKit's code there and Vite's plugin share no module. */
export const devRequests = Symbol.for('tollgate.requests');

/** Node's own request behind an event. adapter-node lends it as `platform.req`, and `npm run dev` by its plugin. */
export function rawRequest(event: RequestEvent): IncomingMessage | undefined {
	if (event.platform) return event.platform.req;
	const requests: unknown = Reflect.get(globalThis, devRequests);
	return isStorage(requests) ? requests.getStore() : undefined;
}

/** Its headers, flat and in wire order; HTTP/2 (`npm run dev`) says the host otherwise, and more that is none. */
export function rawHeaders(request: IncomingMessage): string[] {
	if (request.httpVersionMajor < 2) return request.rawHeaders;
	const headers: string[] = [];
	for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
		const name = request.rawHeaders[at] ?? '';
		if (name === ':authority') headers.push('host', request.rawHeaders[at + 1] ?? '');
		else if (!name.startsWith(':')) headers.push(name, request.rawHeaders[at + 1] ?? '');
	}
	return headers;
}

function isStorage(value: unknown): value is AsyncLocalStorage<IncomingMessage> {
	return typeof value === 'object' && value !== null && 'getStore' in value;
}
