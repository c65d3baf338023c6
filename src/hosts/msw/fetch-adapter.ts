import { bodyLimit } from '#service/service.ts';
import type { WireRequest, WireResult } from '#api/message.ts';
import { toWebResponse } from '../web-response.ts';

/** How requests reach the service. */
export type AdapterOptions = {
	/** The path of the base URL, without a trailing slash (`/demo`). Usually empty. */
	readonly base: string;
	/** The client address of all requests. Rate limits count by it. */
	readonly peer: string;
	/** Headers that a browser adds to what a script has set: `[name, value, …]`. */
	readonly addedHeaders?: (request: Request) => readonly string[];
	/** The request target for a URL, where it is not that of the service. Default: its path and query, without the base. */
	readonly targetOf?: (url: URL) => string;
};

/**
 * Handles a request of the service.
 * @param request as the service reads it
 * @param source the `Request` it was created from
 */
export type Handle = (request: WireRequest, source: Request) => Promise<WireResult>;

/** Sends a `Request` to the service. No response becomes a network error (BR-07). */
export async function handleFetch(handle: Handle, request: Request, options: AdapterOptions): Promise<Response> {
	const result = await handle(await toWireRequest(request, options), request);
	return result.kind === 'no_response' ? Response.error() : toWebResponse(result, request.method);
}

async function toWireRequest(
	request: Request,
	{ base, peer, addedHeaders, targetOf }: AdapterOptions
): Promise<WireRequest> {
	const url = new URL(request.url);
	const target = targetOf?.(url) ?? stripBase(base, url.pathname + url.search);
	const { method } = request;
	const body = new Uint8Array(await request.arrayBuffer());
	const bodyTooLarge = body.length > bodyLimit({ method, target });
	return {
		method,
		target,
		headers: [...[...request.headers].flat(), ...(addedHeaders?.(request) ?? [])],
		body: bodyTooLarge ? new Uint8Array(0) : body,
		bodyTooLarge,
		peer
	};
}

/**
 * Removes the base path from a request target.
 * @param base without a trailing slash
 * @param target path and query
 */
export function stripBase(base: string, target: string): string {
	return base !== '' && (target === base || target.startsWith(`${base}/`)) ? target.slice(base.length) || '/' : target;
}
