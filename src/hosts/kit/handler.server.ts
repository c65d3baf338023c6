import type { RequestEvent } from '@sveltejs/kit';
import { bodyLimit, type Service } from '#service/service.ts';
import { hasSandboxPrefix } from '#api/service-path.ts';
import type { WireRequest, WireResult } from '#api/message.ts';
import { rawHeaders, rawRequest } from './raw-request.server.ts';
import { toWebResponse } from '../web-response.ts';
import { createNodeService, getSharedService, getSharedStore } from '../node-service.server.ts';
import { isLoopback } from '../security-headers.ts';
import { readConfig } from '../config.server.ts';

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
	const read = await readBody(request, bodyLimit({ method: request.method, target }));
	// SvelteKit leaves the rest unread, and the next request on the connection would wait for it forever (HT-06).
	if (read.bodyTooLarge) raw?.removeAllListeners('data').resume();
	return { method: request.method, target, headers, peer, ...read };
}

async function readBody(request: Request, limit: number): Promise<{ body: Uint8Array; bodyTooLarge: boolean }> {
	const tooLong = { body: noBody, bodyTooLarge: true };
	if (Number(request.headers.get('content-length')) > limit) return tooLong;
	const chunks: Uint8Array[] = [];
	let size = 0;
	// Canceling the stream would close the connection before the response is sent.
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

/**
 * Converts a result of the service to a `Response`. No response becomes a body that fails before its first byte: SvelteKit then
 * closes the connection and sends nothing.
 * @param method of the request: HEAD gets no body
 */
export function toResponse(result: WireResult, method: string): Response {
	return result.kind === 'no_response' ? new Response(failingBody()) : toWebResponse(result, method);
}

function failingBody(): ReadableStream<Uint8Array> {
	return new ReadableStream({ start: (controller) => controller.error(new Error('no response')) });
}

const purgeEvery = 10_000;
let own: { readonly service: Service; purged: number } | undefined;

/**
 * The service behind SvelteKit's endpoints: the node host's if that runs, otherwise one of this bundle. Its store survives when
 * `npm run dev` loads changed code.
 * @param requested origin of a request. It is the base URL on loopback only. Elsewhere `ORIGIN` is required.
 * @throws Error if the public address of this server is unknown
 */
function getService(requested: string): Service {
	const shared = getSharedService();
	if (shared) return shared;
	own ??= { service: createOwn(requested), purged: Date.now() };
	if (Date.now() - own.purged > purgeEvery) {
		own.purged = Date.now();
		void own.service.purge().catch((fault: unknown) => console.error(fault));
	}
	return own.service;
}

function createOwn(requested: string): Service {
	const settings = readConfig(process.env, process.cwd());
	const { origin, trustedProxies, adminKey, sandboxPerVisitor, classSeats, world, lessons, fetchesDocuments } =
		settings;
	if (!process.env.ORIGIN && !isLoopback(new URL(requested).hostname)) {
		throw new Error('Set ORIGIN to the public address of this server, for example https://tollgate.example.');
	}
	return createNodeService({
		origin: process.env.ORIGIN ? origin : requested,
		trustedProxies,
		sandboxPerVisitor,
		classSeats,
		fetchesDocuments,
		adminKey,
		world,
		lessons,
		store: getSharedStore()
	});
}
