import type { RequestEvent } from '@sveltejs/kit';
import { bodyLimit } from '#service/service.ts';
import { hasSandboxPrefix } from '#api/service-path.ts';
import type { WireRequest } from '#api/message.ts';
import { rawHeaders, rawRequest } from './raw-request.server.ts';
import { toResponse } from './response.ts';
import { getService } from './service.server.ts';

const noBody = new Uint8Array(0);

/** The service handles its paths with and without a slash. SvelteKit's redirect would put tokens into `Location` (TK-02). */
export const trailingSlash = 'ignore';

/** Handles any method of a service path. The `fallback` of each `+server.ts`. */
export async function handle(event: RequestEvent): Promise<Response> {
	const reply = await getService(event.url.origin).handle(await toWireRequest(event));
	if (reply.kind === 'no_response') rawRequest(event)?.socket.destroy();
	return toResponse(reply, event.request.method);
}

/** Handles a request of a page that is being rendered on this server. */
export async function handleFetched({ method, url, headers }: Request): Promise<Response> {
	const { origin, host, pathname, search } = new URL(url);
	const sent = [...headers, ['host', host]].flat();
	const request = { method, target: pathname + search, headers: sent, peer: '127.0.0.1' };
	const result = await getService(origin).handle({ ...request, body: noBody, bodyTooLarge: false });
	return toResponse(result, method);
}

/**
 * The path and query of a request: as sent if the adapter still has them, otherwise as SvelteKit parsed them.
 * @returns beginning with `/`
 */
export function targetOf(event: RequestEvent): string {
	const url = rawRequest(event)?.url;
	return url?.startsWith('/') === true ? url : event.url.pathname + event.url.search;
}

/** Whether a page is in a sandbox that does not exist. The service then responds instead. */
export async function isUnknownSandbox(event: RequestEvent): Promise<boolean> {
	if (!hasSandboxPrefix(event.url.pathname)) return false;
	return !(await getService(event.url.origin).hasSandbox(targetOf(event)));
}

/** As `Service.worldVersion`, for the sandbox of a page. */
export function worldVersion(event: RequestEvent): Promise<string> {
	return getService(event.url.origin).worldVersion(targetOf(event));
}

async function toWireRequest(event: RequestEvent): Promise<WireRequest> {
	const { request } = event;
	const raw = rawRequest(event);
	const target = targetOf(event);
	const headers = raw ? rawHeaders(raw) : [...request.headers].flat();
	const peer = raw?.socket.remoteAddress ?? addressOf(event);
	const read = await readBody(request, bodyLimit(target));
	// SvelteKit leaves the rest unread, and the next request on the connection would wait for it forever (HT-06).
	if (read.bodyTooLarge) raw?.removeAllListeners('data').resume();
	return { method: request.method, target, headers, peer, ...read };
}

async function readBody(request: Request, limit: number): Promise<{ body: Uint8Array; bodyTooLarge: boolean }> {
	const tooLong = { body: noBody, bodyTooLarge: true };
	if (Number(request.headers.get('content-length')) > limit) return tooLong;
	const chunks: Uint8Array[] = [];
	let size = 0;
	// Cancelling the stream would close the connection before the response is sent.
	for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
		size += chunk.length;
		if (size > limit) return tooLong;
		chunks.push(chunk);
	}
	return { body: Buffer.concat(chunks, size), bodyTooLarge: false };
}

function addressOf(event: RequestEvent): string {
	try {
		return event.getClientAddress();
	} catch {
		return ''; // the adapter does not know it
	}
}
