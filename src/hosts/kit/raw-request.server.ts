import type { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { RequestEvent } from '@sveltejs/kit';

/** The key of the current requests in `npm run dev`. SvelteKit's code and Vite's plugin share no module there. */
export const devRequests = Symbol.for('tollgate.requests');

/** Node's request of an event. The node host passes it as `platform.req`, and the plugin of `npm run dev` in storage. */
export function rawRequest(event: RequestEvent): IncomingMessage | undefined {
	if (event.platform) return event.platform.req;
	const requests: unknown = Reflect.get(globalThis, devRequests);
	return isStorage(requests) ? requests.getStore() : undefined;
}

/** The headers as sent: flat list (name, value, …). HTTP/2 (`npm run dev`) has `:authority` instead of `Host`. */
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
